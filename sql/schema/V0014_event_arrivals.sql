-- Events whose sender states no time: when they arrived first, until they are stored.

-- Without a write-ahead log, because a crash only loses what guards against repetitions at the same time.
create unlogged table afterpush.event_arrivals (
    app_id integer not null,
    event_id uuid not null,
    device_time timestamptz not null,
    expires_at timestamptz not null,
    primary key (app_id, event_id)
);
create index on afterpush.event_arrivals (expires_at);
comment on table afterpush.event_arrivals is
    'One row per event that arrived lately and whose sender states no time, so that all collectors give it the same. Emptied by a crash.';
comment on column afterpush.event_arrivals.app_id is 'App whose key the sender used.';
comment on column afterpush.event_arrivals.event_id is 'Identifier of the event, which does not depend on its time.';
comment on column afterpush.event_arrivals.device_time is 'Time of its first arrival, which becomes its device_time.';
comment on column afterpush.event_arrivals.expires_at is
    'When the row is of no use any more: the event is stored then, or the same identifier is another event.';
alter table afterpush.event_arrivals enable row level security;
create policy serve on afterpush.event_arrivals to afterpush_ingest using (true) with check (true);
