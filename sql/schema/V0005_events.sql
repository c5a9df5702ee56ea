-- The first layer of tables: batches and the log of events, with replies and rejected events in tables of their own.

-- The ingest barrier: a transaction that stores a batch locks this table in row exclusive mode; a transaction that has
-- to know that earlier batches are not in flight any more waits for those that hold the lock (function
-- last_batch_before_barrier). No function asks for a lock that conflicts with it, so ingest never waits for it.
create table afterpush.ingest_barrier (
    nothing boolean
);
comment on table afterpush.ingest_barrier is
    'Empty table whose lock separates transactions that store batches from erasure and sealing.';
comment on column afterpush.ingest_barrier.nothing is 'Never used; the table has no rows.';
alter table afterpush.ingest_barrier enable row level security;

create sequence afterpush.batch_ids;
comment on sequence afterpush.batch_ids is 'Numbers of batches, in the order in which their transactions took them.';

-- Each row is updated once, when it is rolled up; the fillfactor leaves room for that on the row's own page.
create table afterpush.batches (
    batch_id bigint primary key,
    app_id integer not null references afterpush.apps,
    started_at timestamptz not null,
    events integer not null,
    duplicates integer not null,
    conflicts integer not null,
    rejected integer not null,
    upgrades integer not null default 0,
    rolled_up_at timestamptz
) with (fillfactor = 90);
-- The rollup worker finds new batches here, without a watermark: batch numbers don't commit in order.
create index batches_waiting on afterpush.batches (batch_id) where rolled_up_at is null;
comment on table afterpush.batches is
    'One row per app and ingest transaction: how many events it stored, and whether reports count them yet.';
comment on column afterpush.batches.batch_id is 'Number of the batch; its events carry it.';
comment on column afterpush.batches.app_id is 'App whose events the batch holds.';
comment on column afterpush.batches.started_at is 'Clock of the database shortly before the transaction committed.';
comment on column afterpush.batches.events is 'Number of events stored.';
comment on column afterpush.batches.duplicates is 'Number of events received that were stored already.';
comment on column afterpush.batches.conflicts is
    'Number of other duplicates whose content differed from the stored event.';
comment on column afterpush.batches.rejected is 'Number of events rejected.';
comment on column afterpush.batches.upgrades is
    'Number of duplicates that replace the stored event, because they are verified and it was not.';
comment on column afterpush.batches.rolled_up_at is
    'When the batch was merged into deliveries and rollups; null until then.';
alter table afterpush.batches enable row level security;
create policy report on afterpush.batches for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.batches to afterpush_ingest, afterpush_worker using (true) with check (true);

-- device_time is part of an event's identity, and the partition key has to be in the primary key. A foreign key to
-- batches would cost a look-up per event; the statement that stores events writes their batch in the same transaction.
-- Most columns are nullable because devices state only what they know.
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
    names_past_limit text[] collate "C",
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
-- These two serve report influence, which reads these kinds of events and needs no more than these columns.
create index events_of_openings on afterpush.events (app_id, occurred_at)
include (device_id, batch_id, verified, platform, app_version)
where kind = 'app_opened';
create index events_of_responses on afterpush.events (app_id, occurred_at)
include (device_id, batch_id, verified, delivery_id, kind)
where kind in ('opened', 'action', 'text_input');
-- These two serve report lift.
create index events_of_outcomes on afterpush.events (app_id, occurred_at)
include (device_id, batch_id, verified, name)
where kind = 'converted' and notification_id is null;
create index events_of_holdouts on afterpush.events (app_id, occurred_at)
include (delivery_id, batch_id)
where kind = 'held_out';
comment on index afterpush.events_of_outcomes is
    'Outcomes of devices by time, with the columns that report lift reads.';
comment on index afterpush.events_of_holdouts is 'Deliveries that were held out, by time, for report lift.';
comment on index afterpush.events_of_openings is 'App openings by time, with the columns that report influence reads.';
comment on index afterpush.events_of_responses is
    'Openings of notifications and actions by time, with the columns that report influence reads.';
comment on table afterpush.events is
    'Log of events: one row per stored event, replaced only by a verified copy of an unverified one; partitioned by '
    'month of device_time (UTC).';
comment on column afterpush.events.delivery_id is
    'Derived from app, notification and device; for events about the device alone, from app and device.';
comment on column afterpush.events.event_id is 'Idempotency key that the sender chose.';
comment on column afterpush.events.device_time is 'occurred_at as the device sent it.';
comment on column afterpush.events.occurred_at is
    'device_time corrected by the clock skew, if the request stated sent_at and the skew is 60 s or more.';
comment on column afterpush.events.batch_id is 'Batch that stored the event.';
comment on column afterpush.events.app_id is 'App of the key that posted the event.';
comment on column afterpush.events.kind is 'What happened.';
comment on column afterpush.events.verified is
    'Whether the event came with a valid receipt bound to its device, or was posted with a send key.';
comment on column afterpush.events.category_version is 'Version of the category; null if not stated.';
comment on column afterpush.events.utc_offset_minutes is 'Offset of the device''s local time from UTC, in minutes.';
comment on column afterpush.events.text_length is
    'Length of the reply text in UTF-8 bytes; the text itself is stored only in replies.';
comment on column afterpush.events.skew_milliseconds is
    'Clock of the collector minus sent_at, in milliseconds; null if the request stated no sent_at.';
comment on column afterpush.events.receipt_issued_at is
    'Issue time of the receipt that came with the event; null without a valid receipt.';
comment on column afterpush.events.names_past_limit is
    'Kinds of the names that the event stated past their limit, so that they are null, or (other); null without any.';
comment on column afterpush.events.device_id is 'Device that the event is about.';
comment on column afterpush.events.notification_id is 'Notification; null for kinds about the device alone, and for outcomes (converted without a notification).';
comment on column afterpush.events.action_identifier is
    'Identifier of the action, as the platform reported it; never null for kinds action and text_input.';
comment on column afterpush.events.campaign_id is 'Campaign; null if not stated.';
comment on column afterpush.events.variant is 'Variant of the campaign; null if not stated.';
comment on column afterpush.events.category_id is 'Category; null if not stated.';
comment on column afterpush.events.platform is 'ios, macos, watchos, visionos, android or web; null if not stated.';
comment on column afterpush.events.app_version is 'Version of the app; null if not stated.';
comment on column afterpush.events.os_version is 'Version of the operating system; null if not stated.';
comment on column afterpush.events.locale is 'Locale of the device; null if not stated.';
comment on column afterpush.events.surface is 'Where it happened: banner, list, watch and so on; null if not stated.';
comment on column afterpush.events.trigger is 'push, time_interval, calendar or location; null if not stated.';
comment on column afterpush.events.app_state is 'State of the app when it happened; null if not stated.';
comment on column afterpush.events.dismiss_cause is
    'Why the notification was dismissed; null where the platform doesn''t report it.';
comment on column afterpush.events.handling is
    'Who handled the response: app, extension or forwarded; null if not stated.';
comment on column afterpush.events.reason is 'Reason of a failure; null if not stated.';
comment on column afterpush.events.name is 'Name of a conversion; null if not stated.';
comment on column afterpush.events.value is 'Value of a conversion, in units of currency; null if not stated.';
comment on column afterpush.events.currency is 'ISO 4217 code of the currency of value; null if not stated.';
comment on column afterpush.events.properties is 'Other members of the event''s JSON object; null if there are none.';
alter table afterpush.events enable row level security;
create policy report on afterpush.events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.events to afterpush_ingest, afterpush_worker using (true) with check (true);

-- An event whose month has no partition yet lands here instead of failing; ensure_partitions moves it.
create table afterpush.events_default (
    like afterpush.events including defaults including constraints including comments
);
alter table afterpush.events attach partition afterpush.events_default default;
comment on table afterpush.events_default is 'Events whose device_time lies in a month without a partition.';

-- A verified copy of a stored unverified event waits here until its batch is merged (function apply_upgrades). Ingest
-- can't replace the event itself, because deliveries and rollups have to change with it.
create table afterpush.event_upgrades (
    like afterpush.events including comments,
    primary key (delivery_id, event_id, device_time)
);
create index on afterpush.event_upgrades (batch_id);
comment on table afterpush.event_upgrades is
    'Verified copies of stored unverified events, until their batch is merged and they replace these.';
comment on column afterpush.event_upgrades.batch_id is 'Batch that holds the copy.';
alter table afterpush.event_upgrades enable row level security;
create policy serve on afterpush.event_upgrades to afterpush_ingest using (true) with check (true);

-- Texts are in a table of their own because they have a retention period of their own, shorter or longer than that of
-- events. For the same reason there is no foreign key to events.
create table afterpush.replies (
    app_id integer not null,
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    verified boolean not null,
    verified_category_id text collate "C",
    user_text text not null,
    stored_at timestamptz not null,
    primary key (delivery_id, event_id, device_time)
);
comment on table afterpush.replies is 'Reply texts that people typed, while their retention period lasts.';
comment on column afterpush.replies.app_id is 'App of the reply.';
comment on column afterpush.replies.delivery_id is 'Delivery that the person replied to.';
comment on column afterpush.replies.event_id is 'event_id of the text_input event that carried the text.';
comment on column afterpush.replies.device_time is 'device_time of that event.';
comment on column afterpush.replies.verified is 'Whether that event is verified.';
comment on column afterpush.replies.verified_category_id is
    'Category that verified events or declared sends state for the delivery; null if none is known, or if it does not '
    'matter, because all categories of the app keep texts equally long.';
comment on column afterpush.replies.user_text is 'The text as typed.';
comment on column afterpush.replies.stored_at is 'When the text was stored; the retention period starts here.';
alter table afterpush.replies enable row level security;
create policy report on afterpush.replies for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.replies to afterpush_ingest, afterpush_worker using (true) with check (true);

-- Only what stores, releases, erases and exports the data of a device reads it, so no report shows these texts.
create table afterpush.waiting_replies (
    app_id integer not null,
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    verified boolean not null,
    user_text text not null,
    stored_at timestamptz not null,
    waits_until timestamptz,
    primary key (delivery_id, event_id, device_time)
);
create index on afterpush.waiting_replies (waits_until) where waits_until is not null;
comment on table afterpush.waiting_replies is
    'Reply texts of which it is not decided yet whether they are kept (function text_place).';
comment on column afterpush.waiting_replies.app_id is 'App of the reply.';
comment on column afterpush.waiting_replies.delivery_id is 'Delivery that the person replied to.';
comment on column afterpush.waiting_replies.event_id is 'event_id of the text_input event that carried the text.';
comment on column afterpush.waiting_replies.device_time is 'device_time of that event.';
comment on column afterpush.waiting_replies.verified is 'Whether that event is verified.';
comment on column afterpush.waiting_replies.user_text is 'The text as typed.';
comment on column afterpush.waiting_replies.stored_at is 'When the text was stored; the retention period starts here.';
comment on column afterpush.waiting_replies.waits_until is
    'When the wait for verified events ends; null once it has ended.';
alter table afterpush.waiting_replies enable row level security;
create policy serve on afterpush.waiting_replies to afterpush_ingest, afterpush_worker using (true) with check (true);

-- event and event_id are nullable: a rejected event could not always be read.
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
comment on table afterpush.rejected_events is
    'Events that validation rejected, as they were received, with the reason.';
comment on column afterpush.rejected_events.rejection_id is 'Number of the rejection, in order of storage.';
comment on column afterpush.rejected_events.app_id is 'App of the key that posted the event.';
comment on column afterpush.rejected_events.received_at is 'When the request arrived.';
comment on column afterpush.rejected_events.code is 'Rejection code, as the response to the sender stated it.';
comment on column afterpush.rejected_events.detail is 'What is wrong, with the name of the field.';
comment on column afterpush.rejected_events.event_id is
    'event_id as sent; null if it could not be read, or if the device was erased and it is not a UUID.';
comment on column afterpush.rejected_events.event is
    'The event as received, with user_text replaced by its length and invalid UTF-8 by U+FFFD; null if unreadable.';
comment on column afterpush.rejected_events.fingerprint is
    'Digest of code and event: an event that a retry sends again is stored once.';
alter table afterpush.rejected_events enable row level security;
create policy report on afterpush.rejected_events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rejected_events to afterpush_ingest, afterpush_worker using (true) with check (true);

-- The spool status that each collector last reported, for report health. While the database is down, no collector can
-- report its status, and no one can read a report either. Once it is back, each collector reports within a second how
-- much it still holds.
create table afterpush.spools (
    collector uuid primary key,
    events bigint not null check (events >= 0),
    oldest_at timestamptz,
    reported_at timestamptz not null default now()
);
comment on table afterpush.spools is
    'One row per spool: how many events, of all apps, are acknowledged with 202 and not in the database yet.';
comment on column afterpush.spools.collector is
    'Identifies the spool by host and path, so a collector that restarts keeps its row.';
comment on column afterpush.spools.events is 'Number of events in the spool.';
comment on column afterpush.spools.oldest_at is
    'When the request with the oldest event in the spool arrived; null if the spool is empty.';
comment on column afterpush.spools.reported_at is
    'When the collector last reported, at least every 30 s while the database is up.';
alter table afterpush.spools enable row level security;
-- A spool holds events of all apps, so every app sees how many. A login without an app sees nothing.
create policy report on afterpush.spools for select to afterpush_report
    using ((select afterpush.report_app()) is not null);
create policy serve on afterpush.spools to afterpush_ingest using (true) with check (true);
