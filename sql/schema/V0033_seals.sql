-- What a seal waits for, and what exports have to know of deletions.

alter table afterpush.spools add column is_closed boolean not null default false;
comment on column afterpush.spools.is_closed is
    'Whether its collector has stopped with an empty spool, so that nothing is expected of it.';
comment on column afterpush.spools.collector is
    'Identifies the spool by a random mark in its directory, so a collector that restarts keeps its row, under any host name.';
comment on column afterpush.spools.events is
    'Number of events in the spool, with those that were set aside, can be tried again and are not older than a day.';
comment on column afterpush.spools.reported_at is
    'When the collector last reported, at least every 10 s while the database is up.';
-- Collectors identify their spools by another text from here on, so these rows are never closed by their collectors. Those
-- of empty spools are closed here.
update afterpush.spools set is_closed = true where events = 0;

alter table afterpush.retention_state
    add column recounts_awaited_at timestamptz not null default '-infinity',
    add column recounts_awaited_since timestamptz;
comment on column afterpush.retention_state.recounts_awaited_at is
    'When the announced seal last waited for recounts of conversions; see may_begin_recounts.';
comment on column afterpush.retention_state.recounts_awaited_since is
    'Since when the announced seal has been waiting for recounts, also if its runs are far apart; null if it is not.';
create policy work on afterpush.retention_state for select to afterpush_worker using (true);

create table afterpush.retention_deletions (
    what text primary key,
    steps bigint not null default 0
);
comment on table afterpush.retention_deletions is
    'How often retention has deleted some rows, so that an export notices it.';
comment on column afterpush.retention_deletions.what is 'events, which are those of the default partition and of kept ones, or deliveries.';
comment on column afterpush.retention_deletions.steps is 'Number of transactions that have deleted some.';
alter table afterpush.retention_deletions enable row level security;
create policy report on afterpush.retention_deletions for select to afterpush_report using (true);
insert into afterpush.retention_deletions (what) values ('events'), ('deliveries');

-- An export leaves out the events of devices that are being erased, as long as there may be any.
create policy report on afterpush.erasures for select to afterpush_report
    using (
        app_id = (select afterpush.report_app())
        and phase in ('announced', 'merging', 'searching', 'erasing')
    );
