-- Retention, which seals hours before it deletes their events, and erasure, which removes what is stored about a device
-- and puts the device on the suppression list.
--
-- Both have to make sure that no event which may no longer be stored is in flight. They proceed in steps:
--
-- 1. Announce: commit a row that says what is rejected from now on. That is a time in retention_state, or a device in
--    suppressed_devices. Later transactions that store events see it (trigger enforce_suppression).
-- 2. Wait at the ingest barrier until every transaction that started earlier has ended, and note the last batch number
--    taken by then (last_batch_before_barrier). No later batch can hold an announced event.
-- 3. Once all batches up to that number are merged, seal the hours, or erase the device.

create table afterpush.retention_state (
    singleton boolean primary key default true check (singleton),
    rejected_before timestamptz not null default '-infinity',
    announced_at timestamptz not null default '-infinity',
    barrier_batch bigint,
    last_run_at timestamptz not null default '-infinity',
    checked_at timestamptz not null default '-infinity',
    steady_since timestamptz not null default '-infinity'
);
comment on table afterpush.retention_state is 'Single row: the announced seal, and when retention last ran.';
comment on column afterpush.retention_state.singleton is 'Always true, so that there is one row.';
comment on column afterpush.retention_state.rejected_before is
    'Events that occurred before this time are rejected; anchor hours before it are sealed or about to be.';
comment on column afterpush.retention_state.announced_at is
    'When a seal or an erasure was last announced; enforce_suppression checks batches for ten minutes after it.';
comment on column afterpush.retention_state.barrier_batch is
    'Last batch that may hold events from before rejected_before; null until the ingest barrier was passed.';
comment on column afterpush.retention_state.last_run_at is 'When retention last ran to its end.';
comment on column afterpush.retention_state.checked_at is 'When a collector last asked whether retention is due.';
comment on column afterpush.retention_state.steady_since is
    'Since when collectors have asked without a gap of two days; after a gap, retention waits for a day.';
alter table afterpush.retention_state enable row level security;
create policy serve on afterpush.retention_state for select to afterpush_ingest using (true);

insert into afterpush.retention_state default values;

-- Reports apply a campaign's goals when they run, so changed goals change the conversions of old deliveries too. Sealed
-- hours must stay as they are: trigger snapshot_sealed_goals saves the old goals here when they change.
create table afterpush.sealed_goals (
    app_id integer not null,
    campaign_id text collate "C" not null,
    sealed_from timestamptz not null,
    sealed_before timestamptz not null,
    goal_actions text[] collate "C" not null,
    primary key (app_id, campaign_id, sealed_before)
);
comment on table afterpush.sealed_goals is
    'Former goals of campaigns, which still apply to hours that were sealed before the goals changed.';
comment on column afterpush.sealed_goals.app_id is 'App of the campaign.';
comment on column afterpush.sealed_goals.campaign_id is 'Campaign that had these goals.';
comment on column afterpush.sealed_goals.sealed_from is 'First anchor hour that the goals apply to.';
comment on column afterpush.sealed_goals.sealed_before is 'First anchor hour that they no longer apply to.';
comment on column afterpush.sealed_goals.goal_actions is
    'Goals of the campaign at the time; empty if it was not declared yet.';
alter table afterpush.sealed_goals enable row level security;
create policy report on afterpush.sealed_goals for select to afterpush_report
    using (app_id = (select afterpush.report_app()));

create table afterpush.erased_event_counts of afterpush.event_count (
    app_id not null,
    verified not null,
    event_hour not null,
    events not null,
    primary key (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind)
);
comment on table afterpush.erased_event_counts is
    'Counts of events that were erased with their device, so that a rebuild of rollup_events still includes them.';
comment on column afterpush.erased_event_counts.app_id is 'App of the events.';
comment on column afterpush.erased_event_counts.verified is
    'Whether only verified events count; each event is in false, and in true if it is verified.';
comment on column afterpush.erased_event_counts.event_hour is 'Hour in which the events occurred, UTC.';
comment on column afterpush.erased_event_counts.campaign_id is 'Campaign; empty if unknown.';
comment on column afterpush.erased_event_counts.variant is 'Variant of the campaign; empty if unknown.';
comment on column afterpush.erased_event_counts.category_id is 'Category; empty if unknown.';
comment on column afterpush.erased_event_counts.platform is 'Platform; empty if unknown.';
comment on column afterpush.erased_event_counts.kind is 'Kind of the events.';
comment on column afterpush.erased_event_counts.events is 'Number of erased events.';
alter table afterpush.erased_event_counts enable row level security;
create policy report on afterpush.erased_event_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.erased_event_counts to afterpush_worker using (true) with check (true);

create table afterpush.suppression_keys (
    key_id integer generated always as identity primary key,
    -- Generated here so that the key appears in no statement, as in receipt_secrets.
    key bytea not null unique
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(key) = 32),
    created_at timestamptz not null default now(),
    -- 54 and 92 are the inner and outer padding bytes of HMAC, 0x36 and 0x5c.
    inner_block bytea generated always as (afterpush.key_block(key, 54)) stored,
    outer_block bytea generated always as (afterpush.key_block(key, 92)) stored
);
comment on table afterpush.suppression_keys is
    'Keys for the hashes of erased devices: that of this database, and those of restored suppression files.';
comment on column afterpush.suppression_keys.key_id is 'Number of the key; the lowest one hashes newly erased devices.';
comment on column afterpush.suppression_keys.key is
    '32 random bytes; backups include them, because a restored database needs them to recognise erased devices.';
comment on column afterpush.suppression_keys.created_at is 'When the key was generated or read from a file.';
comment on column afterpush.suppression_keys.inner_block is 'Key block of the inner hash of HMAC.';
comment on column afterpush.suppression_keys.outer_block is 'Key block of the outer hash of HMAC.';
alter table afterpush.suppression_keys enable row level security;
create policy serve on afterpush.suppression_keys for select to afterpush_ingest, afterpush_worker using (true);

insert into afterpush.suppression_keys default values;

create table afterpush.suppressed_devices (
    app_id integer not null references afterpush.apps,
    device_hash bytea not null,
    suppressed_at timestamptz not null default now(),
    suppression_id bigint generated always as identity,
    key_id integer not null references afterpush.suppression_keys,
    primary key (app_id, device_hash)
);
create unique index on afterpush.suppressed_devices (suppression_id);
create index on afterpush.suppressed_devices (suppressed_at);
comment on table afterpush.suppressed_devices is
    'The suppression list: erased devices, whose events are rejected from then on.';
comment on column afterpush.suppressed_devices.app_id is 'App from which the device was erased.';
comment on column afterpush.suppressed_devices.device_hash is 'HMAC-SHA-256 of the device id with the key key_id.';
comment on column afterpush.suppressed_devices.suppressed_at is 'When the device was put on the list.';
comment on column afterpush.suppressed_devices.suppression_id is
    'Position in the list; rows commit in this order, so a collector that has read up to one has missed none.';
comment on column afterpush.suppressed_devices.key_id is 'Key of the hash.';
alter table afterpush.suppressed_devices enable row level security;
create policy report on afterpush.suppressed_devices for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.suppressed_devices to afterpush_ingest, afterpush_worker
    using (true) with check (true);

-- device_id is nullable: a finished job must not keep it, and a job restored from a suppression file has only the hash.
create table afterpush.erasures (
    app_id integer not null,
    device_hash bytea not null,
    device_id text collate "C",
    phase text not null
        check (phase in ('announced', 'merging', 'searching', 'erasing', 'checking_rejected', 'done')),
    requested_at timestamptz not null default clock_timestamp(),
    barrier_batch bigint,
    rejected_checked bigint not null default 0,
    events bigint not null default 0,
    replies bigint not null default 0,
    deliveries bigint not null default 0,
    rejected bigint not null default 0,
    finished_at timestamptz,
    primary key (app_id, device_hash),
    foreign key (app_id, device_hash) references afterpush.suppressed_devices,
    constraint erasures_finished_when_done check ((phase = 'done') = (finished_at is not null)),
    constraint erasures_device_forgotten_when_done check (phase <> 'done' or device_id is null)
);
create index on afterpush.erasures (requested_at) where finished_at is null;
comment on table afterpush.erasures is 'One row per erased device: the erasure job and its progress.';
comment on column afterpush.erasures.app_id is 'App from which the device is erased.';
comment on column afterpush.erasures.device_hash is 'Hash of the device id, as in suppressed_devices.';
comment on column afterpush.erasures.device_id is
    'Device id; null once the job is done, and until the device of a restored hash is found.';
comment on column afterpush.erasures.phase is
    'announced, merging (waits for batches), searching (for the device of a hash), erasing, checking_rejected or done.';
comment on column afterpush.erasures.requested_at is 'When the erasure was last requested.';
comment on column afterpush.erasures.barrier_batch is
    'Last batch that may hold events of the device; null until the ingest barrier was passed.';
comment on column afterpush.erasures.rejected_checked is
    'Rejected events up to this rejection_id have been checked for the device.';
comment on column afterpush.erasures.events is 'Number of events deleted.';
comment on column afterpush.erasures.replies is 'Number of replies deleted.';
comment on column afterpush.erasures.deliveries is 'Number of deliveries made anonymous.';
comment on column afterpush.erasures.rejected is 'Number of rejected events deleted.';
comment on column afterpush.erasures.finished_at is 'When the job was done; null until then.';
alter table afterpush.erasures enable row level security;
create policy serve on afterpush.erasures for select to afterpush_worker using (true);
