-- Dialects: what an app has set for requests of other systems' clients, and what became of their events.

create table afterpush.dialect_settings (
    app_id integer primary key references afterpush.apps,
    settings jsonb not null,
    changed_at timestamptz not null default now()
);
comment on table afterpush.dialect_settings is
    'One row per app that has mappings of its own. It can hold secrets that sign webhooks, so the report role does not read it.';
comment on column afterpush.dialect_settings.app_id is 'App whose settings these are.';
comment on column afterpush.dialect_settings.settings is 'The body of PUT /v1/mappings.';
comment on column afterpush.dialect_settings.changed_at is 'When the settings were last changed.';
alter table afterpush.dialect_settings enable row level security;
create policy serve on afterpush.dialect_settings to afterpush_ingest using (true) with check (true);

create table afterpush.dialect_events (
    app_id integer not null references afterpush.apps,
    family text collate "C" not null,
    name text collate "C" not null,
    reason text collate "C" not null,
    received bigint not null,
    mapped bigint not null,
    ignored bigint not null,
    rejected bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (app_id, family, name, reason)
);
comment on table afterpush.dialect_events is
    'One row per app, family of dialects, name of an event and reason: what became of the events of other systems'' clients.';
comment on column afterpush.dialect_events.app_id is 'App whose key the client used.';
comment on column afterpush.dialect_events.family is 'Family of dialects, such as segment.';
comment on column afterpush.dialect_events.name is
    'Name of the event in the other system; (other) for names past the limit of 500 per app and family.';
comment on column afterpush.dialect_events.reason is
    'Why it was ignored or rejected; empty for events that were mapped.';
comment on column afterpush.dialect_events.received is 'Events of the other system.';
comment on column afterpush.dialect_events.mapped is 'Native events that were stored, or had been stored before.';
comment on column afterpush.dialect_events.ignored is 'Events that mean nothing here, or lack what is needed.';
comment on column afterpush.dialect_events.rejected is 'Native events that were rejected.';
comment on column afterpush.dialect_events.first_at is 'When the first of them arrived.';
comment on column afterpush.dialect_events.last_at is 'When the last of them arrived.';
alter table afterpush.dialect_events enable row level security;
create policy report on afterpush.dialect_events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.dialect_events to afterpush_ingest using (true) with check (true);
