-- Retention (sealed hours) and the erasure of devices (suppression list, erasure jobs).

create table afterpush.sealing (
    singleton boolean primary key default true check (singleton),
    announced_before timestamptz not null default '-infinity',
    announced_at timestamptz not null default '-infinity',
    after_batch bigint,
    retained_at timestamptz not null default '-infinity'
);
comment on table afterpush.sealing is 'One row: what retention is about to seal, and when it ran.';
comment on column afterpush.sealing.singleton is 'Always true.';
comment on column afterpush.sealing.announced_before is
    'Events that occurred before this are refused. Hours are sealed up to here, or about to be.';
comment on column afterpush.sealing.announced_at is 'When something was announced last, that or a device.';
comment on column afterpush.sealing.after_batch is 'Batches up to this one may hold such events.';
comment on column afterpush.sealing.retained_at is 'When retention ran to its end, last.';
alter table afterpush.sealing enable row level security;
create policy serve on afterpush.sealing for select to afterpush_ingest using (true);

insert into afterpush.sealing default values;

-- Goals.

-- What the goals of a campaign were when hours were sealed, once they have changed since.
create table afterpush.sealed_goals (
    app_id integer not null,
    campaign_id text collate "C" not null,
    sealed_from timestamptz not null,
    sealed_before timestamptz not null,
    goal_actions text[] collate "C" not null,
    primary key (app_id, campaign_id, sealed_before)
);
comment on table afterpush.sealed_goals is 'Goals of campaigns, for hours that were sealed before they changed.';
comment on column afterpush.sealed_goals.app_id is 'The app.';
comment on column afterpush.sealed_goals.campaign_id is 'The campaign.';
comment on column afterpush.sealed_goals.sealed_from is 'For anchor hours from here on.';
comment on column afterpush.sealed_goals.sealed_before is 'For anchor hours before this.';
comment on column afterpush.sealed_goals.goal_actions is 'Its goals then; none for one that was not declared.';
alter table afterpush.sealed_goals enable row level security;
create policy report on afterpush.sealed_goals for select to afterpush_report
    using (app_id = (select afterpush.report_app()));

create table afterpush.erased_event_counts of afterpush.event_count (
    app_id not null,
    event_hour not null,
    events not null,
    verified_events not null,
    primary key (app_id, event_hour, campaign_id, variant, category_id, platform, kind)
);
comment on table afterpush.erased_event_counts is 'How many events were erased with their device: they stay in the sums.';
comment on column afterpush.erased_event_counts.app_id is 'The app.';
comment on column afterpush.erased_event_counts.event_hour is 'As in rollup_events.';
comment on column afterpush.erased_event_counts.campaign_id is 'As in rollup_events.';
comment on column afterpush.erased_event_counts.variant is 'As in rollup_events.';
comment on column afterpush.erased_event_counts.category_id is 'As in rollup_events.';
comment on column afterpush.erased_event_counts.platform is 'As in rollup_events.';
comment on column afterpush.erased_event_counts.kind is 'Their kind.';
comment on column afterpush.erased_event_counts.events is 'How many.';
comment on column afterpush.erased_event_counts.verified_events is 'How many of them were verified.';
alter table afterpush.erased_event_counts enable row level security;
create policy report on afterpush.erased_event_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.erased_event_counts to afterpush_worker using (true) with check (true);

-- Retention, which seals hours and drops what is past; erasure of devices, which leaves their deliveries anonymous and
-- refuses what still comes of them.
--
-- What must not be stored any more is announced in a table first. From the announcement's commit on, a transaction that
-- stores events sees it (trigger enforce_suppression) or holds the advisory lock 1634104321 shared. Whoever then gets that alone
-- knows that whatever slipped through has committed with a batch number that is given out already: once these batches
-- are merged, nothing that was announced against is stored or waits, and hours can be sealed, devices swept.

-- What was announced.
create table afterpush.suppression_keys (
    key_id integer generated always as identity primary key,
    -- Made here, so that it stands in no statement: see receipt_secrets.
    key bytea not null unique
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(key) = 32),
    created_at timestamptz not null default now(),
    inner_block bytea generated always as (afterpush.key_block(key, 54)) stored,
    outer_block bytea generated always as (afterpush.key_block(key, 92)) stored
);
comment on table afterpush.suppression_keys is
    'The keys that erased devices are hashed with: one, and those that came back with lists of other times.';
comment on column afterpush.suppression_keys.key_id is 'Its number; the lowest one hashes.';
comment on column afterpush.suppression_keys.key is
    'Its 32 random bytes. It stays with the data: a restored backup must know the devices that the list names.';
comment on column afterpush.suppression_keys.created_at is 'When it was made, or came back.';
comment on column afterpush.suppression_keys.inner_block is 'The key as the inner hash of HMAC takes it.';
comment on column afterpush.suppression_keys.outer_block is 'The key as the outer hash of HMAC takes it.';
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
comment on table afterpush.suppressed_devices is 'Erased devices, whose events are refused from then on.';
comment on column afterpush.suppressed_devices.app_id is 'The app.';
comment on column afterpush.suppressed_devices.device_hash is 'Keyed hash of the device id.';
comment on column afterpush.suppressed_devices.suppressed_at is 'When the device was erased.';
comment on column afterpush.suppressed_devices.suppression_id is
    'Order of the erasures: a greater one never commits before a smaller one.';
comment on column afterpush.suppressed_devices.key_id is 'The key that it was hashed with.';
alter table afterpush.suppressed_devices enable row level security;
create policy report on afterpush.suppressed_devices for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.suppressed_devices to afterpush_ingest, afterpush_worker
    using (true) with check (true);

create table afterpush.erasures (
    app_id integer not null,
    device_hash bytea not null,
    device_id text collate "C",
    phase text not null check (phase in ('announced', 'merging', 'searching', 'sweeping', 'refusals', 'done')),
    requested_at timestamptz not null default clock_timestamp(),
    after_batch bigint,
    refusals_read bigint not null default 0,
    events bigint not null default 0,
    replies bigint not null default 0,
    deliveries bigint not null default 0,
    rejected bigint not null default 0,
    finished_at timestamptz,
    primary key (app_id, device_hash),
    foreign key (app_id, device_hash) references afterpush.suppressed_devices,
    check ((phase = 'done') = (finished_at is not null)),
    check (phase <> 'done' or device_id is null)
);
create index on afterpush.erasures (requested_at) where finished_at is null;
comment on table afterpush.erasures is 'One job for each erased device, and how far it is.';
comment on column afterpush.erasures.app_id is 'The app.';
comment on column afterpush.erasures.device_hash is 'As in suppressed_devices.';
comment on column afterpush.erasures.device_id is
    'The device while the job needs it; null when it is done, and until it is found if only its hash came back.';
comment on column afterpush.erasures.phase is 'What is done next; announced: nothing yet.';
comment on column afterpush.erasures.requested_at is 'When it was asked for, last.';
comment on column afterpush.erasures.after_batch is 'Batches up to this one may hold events of the device.';
comment on column afterpush.erasures.refusals_read is 'Refused events up to this one are looked through.';
comment on column afterpush.erasures.events is 'Events that were deleted.';
comment on column afterpush.erasures.replies is 'Replies that were deleted.';
comment on column afterpush.erasures.deliveries is 'Deliveries that were made anonymous.';
comment on column afterpush.erasures.rejected is 'Refused events that were deleted.';
comment on column afterpush.erasures.finished_at is 'When it was done.';
alter table afterpush.erasures enable row level security;
create policy serve on afterpush.erasures for select to afterpush_worker using (true);
