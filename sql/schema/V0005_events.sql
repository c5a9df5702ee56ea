-- The first layer of tables: batches and the log of events, with replies and rejected events kept apart.

-- A team's own report, or whoever reads with psql, could take the advisory locks that storing and erasing wait for: anybody may
-- take those. A table's locks are for who may write to it. Nothing is ever stored in this one.
create table afterpush.ingest_barrier (
    nothing boolean
);
comment on table afterpush.ingest_barrier is
    'Locked by who stores a batch, row exclusive, and by who must know that none is under way, share. Empty.';
comment on column afterpush.ingest_barrier.nothing is 'Nothing: there are no rows.';
alter table afterpush.ingest_barrier enable row level security;

create sequence afterpush.batch_ids;
comment on sequence afterpush.batch_ids is 'Numbers of batches.';

create table afterpush.batches (
    batch_id bigint primary key,
    app_id integer not null references afterpush.apps,
    started_at timestamptz not null,
    events integer not null,
    duplicates integer not null,
    conflicts integer not null,
    rejected integer not null,
    rolled_up_at timestamptz
) with (fillfactor = 90);
create index batches_waiting on afterpush.batches (batch_id) where rolled_up_at is null;
comment on table afterpush.batches is
    'One row per app and ingest transaction: what it stored, and whether reports count it yet.';
comment on column afterpush.batches.batch_id is 'Carried by the events of the batch.';
comment on column afterpush.batches.app_id is 'The app whose events these are.';
comment on column afterpush.batches.started_at is 'The database''s clock before the transaction committed.';
comment on column afterpush.batches.events is 'Events stored.';
comment on column afterpush.batches.duplicates is 'Events that were stored before.';
comment on column afterpush.batches.conflicts is
    'Of the duplicates, those whose content differed from the stored one.';
comment on column afterpush.batches.rejected is 'Events refused and kept in rejected_events.';
comment on column afterpush.batches.rolled_up_at is
    'When the batch was merged into deliveries and rollups; null until then.';
alter table afterpush.batches enable row level security;
create policy report on afterpush.batches for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.batches to afterpush_ingest, afterpush_worker using (true) with check (true);

create table afterpush.events (
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    occurred_at timestamptz not null,
    batch_id bigint not null,
    app_id integer not null,
    kind afterpush.event_kind not null,
    verified boolean not null,
    category_version integer,
    utc_offset_minutes integer,
    text_length integer,
    skew_milliseconds bigint,
    receipt_issued_at timestamptz,
    device_id text collate "C" not null,
    notification_id text collate "C",
    action_identifier text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    os_version text collate "C",
    locale text collate "C",
    surface text collate "C",
    trigger text collate "C",
    app_state text collate "C",
    dismiss_cause text collate "C",
    handling text collate "C",
    reason text collate "C",
    name text collate "C",
    value numeric,
    currency text collate "C",
    properties jsonb,
    primary key (delivery_id, event_id, device_time),
    constraint action_is_named check (kind not in ('action', 'text_input') or action_identifier is not null),
    constraint version_is_positive check (category_version > 0)
) partition by range (device_time);
create index on afterpush.events (batch_id);
create index events_of_openings on afterpush.events (app_id, occurred_at)
include (device_id, batch_id, verified, platform, app_version)
where kind = 'app_opened';
create index events_of_responses on afterpush.events (app_id, occurred_at)
include (device_id, batch_id, verified, delivery_id)
where kind in ('opened', 'action', 'text_input', 'dismissed');
comment on index afterpush.events_of_openings is 'Openings of the app, with all that a report needs of one.';
comment on index afterpush.events_of_responses is 'Responses that may have led to openings.';
comment on table afterpush.events is
    'The log: each stored event once, never changed. Partitioned by month of device_time.';
comment on column afterpush.events.delivery_id is
    'Derived from app, notification and device; from app and device for kinds about the device alone.';
comment on column afterpush.events.event_id is 'The sender''s idempotency key.';
comment on column afterpush.events.device_time is 'occurred_at as the device sent it.';
comment on column afterpush.events.occurred_at is
    'device_time corrected by the skew of the device''s clock, if that was stated and 60 s or more.';
comment on column afterpush.events.batch_id is 'The batch that stored it.';
comment on column afterpush.events.app_id is 'The app of the key it was posted with.';
comment on column afterpush.events.kind is 'What happened.';
comment on column afterpush.events.verified is
    'Shown to be about a notification that was sent: posted with a send key, or with a receipt bound to the device.';
comment on column afterpush.events.category_version is 'Version of the category, if stated.';
comment on column afterpush.events.utc_offset_minutes is 'The device''s offset from UTC, in minutes.';
comment on column afterpush.events.text_length is
    'UTF-8 bytes of the typed text; the text itself is in replies alone.';
comment on column afterpush.events.skew_milliseconds is
    'Collector''s clock minus sent_at, in milliseconds; null when the request stated no sent_at.';
comment on column afterpush.events.receipt_issued_at is 'When the receipt that came with it was issued.';
comment on column afterpush.events.device_id is 'The device.';
comment on column afterpush.events.notification_id is 'The notification; null for kinds about the device alone.';
comment on column afterpush.events.action_identifier is 'As the platform gave it.';
comment on column afterpush.events.campaign_id is 'Campaign, if stated.';
comment on column afterpush.events.variant is 'Variant of the campaign, if stated.';
comment on column afterpush.events.category_id is 'Category, if stated.';
comment on column afterpush.events.platform is 'ios, macos, watchos, visionos, android or web.';
comment on column afterpush.events.app_version is 'Version of the app.';
comment on column afterpush.events.os_version is 'Version of the operating system.';
comment on column afterpush.events.locale is 'Locale of the device.';
comment on column afterpush.events.surface is 'Where it happened: banner, list, watch and the like.';
comment on column afterpush.events.trigger is 'push, time_interval, calendar or location.';
comment on column afterpush.events.app_state is 'State of the app when it happened.';
comment on column afterpush.events.dismiss_cause is 'Why it was dismissed, where the platform tells.';
comment on column afterpush.events.handling is 'Who handled the response: app, extension or forwarded.';
comment on column afterpush.events.reason is 'Reason of a failure.';
comment on column afterpush.events.name is 'Name of a conversion.';
comment on column afterpush.events.value is 'Value of a conversion, in currency.';
comment on column afterpush.events.currency is 'ISO 4217 code of value.';
comment on column afterpush.events.properties is 'Everything else that was sent.';
alter table afterpush.events enable row level security;
create policy report on afterpush.events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.events to afterpush_ingest, afterpush_worker using (true) with check (true);

create table afterpush.events_default (like afterpush.events including defaults including constraints including comments);
alter table afterpush.events attach partition afterpush.events_default default;
comment on table afterpush.events_default is 'Events whose device_time no month''s partition takes.';

create table afterpush.replies (
    app_id integer not null,
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    user_text text not null,
    stored_at timestamptz not null,
    primary key (delivery_id, event_id, device_time)
);
comment on table afterpush.replies is 'What people typed: kept apart from events, with a retention of its own.';
comment on column afterpush.replies.app_id is 'The app.';
comment on column afterpush.replies.delivery_id is 'The delivery that was answered.';
comment on column afterpush.replies.event_id is 'The event that carried the text.';
comment on column afterpush.replies.device_time is 'As in events.';
comment on column afterpush.replies.user_text is 'The text.';
comment on column afterpush.replies.stored_at is 'When it was stored; retention counts from here.';
alter table afterpush.replies enable row level security;
create policy report on afterpush.replies for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.replies to afterpush_ingest, afterpush_worker using (true) with check (true);

create table afterpush.rejected_events (
    rejection_id bigint generated always as identity primary key,
    app_id integer not null,
    received_at timestamptz not null,
    code text not null,
    detail text not null,
    event_id text,
    event text,
    fingerprint uuid generated always as (md5(code || event)::uuid) stored,
    unique (app_id, fingerprint)
);
create index on afterpush.rejected_events (app_id, received_at);
comment on table afterpush.rejected_events is 'Events that were refused, as they came, with the reason.';
comment on column afterpush.rejected_events.rejection_id is 'Order of arrival.';
comment on column afterpush.rejected_events.app_id is 'The app of the key it was posted with.';
comment on column afterpush.rejected_events.received_at is 'When the request arrived.';
comment on column afterpush.rejected_events.code is 'The stable code that the sender was answered.';
comment on column afterpush.rejected_events.detail is 'What was wrong, naming the field.';
comment on column afterpush.rejected_events.event_id is 'event_id as sent, if it was readable.';
comment on column afterpush.rejected_events.event is
    'The event as it came, user_text replaced by its length, bytes that are not UTF-8 by U+FFFD.';
comment on column afterpush.rejected_events.fingerprint is
    'Of code and event: the same event refused again, by a retry, is kept once.';
alter table afterpush.rejected_events enable row level security;
create policy report on afterpush.rejected_events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rejected_events to afterpush_ingest, afterpush_worker using (true) with check (true);

-- What the reports health, failures, replies, undeclared and rejected rest on.

-- What collectors hold in their spools, as each last told. Without a database nobody can tell it anything, and nobody
-- can read a report either; once it is back, each tells within a second how much is still to come.
create table afterpush.spools (
    collector uuid primary key,
    events bigint not null check (events >= 0),
    oldest_at timestamptz,
    reported_at timestamptz not null default now()
);
comment on table afterpush.spools is
    'Events, of all apps together, that collectors answered 202 and still hold in their spools.';
comment on column afterpush.spools.collector is
    'A place for a spool: derived from host and path, so that a collector that starts again is the same.';
comment on column afterpush.spools.events is 'Events that wait in its spool.';
comment on column afterpush.spools.oldest_at is
    'When the request arrived whose events wait longest; null when none do.';
comment on column afterpush.spools.reported_at is
    'When the collector last told; each tells within half a minute while it can.';
alter table afterpush.spools enable row level security;
create policy report on afterpush.spools for select to afterpush_report using (true);
create policy serve on afterpush.spools to afterpush_ingest using (true) with check (true);
