-- The second layer of tables: one row per delivery, merged from its events. Whoever writes it holds the lock on the row
-- of rollup_worker.

-- Each dimension has a source rank: 1 if a verified sent event states it, 2 if a verified delivered event (a
-- confirmation) does, 3 if another verified event does; 4, 5 and 6 if unverified ones do, 7 if none does. The lowest
-- rank wins, and within a rank the smallest value. Rank 6 counts only for a delivery without a sent or delivered event
-- (functions/deliveries/attribution.sql).
--
-- What the verified events of a delivery say is a function of these events alone: its dimensions of ranks 1 to 3, its
-- anchor, and everything named verified.
--
-- The fillfactor leaves room for updated rows on their page, so that an update needs no new index entries. For the same
-- reason, indexes are on columns that never change, except the small one on confirmed_at.
create table afterpush.deliveries (
    delivery_id uuid primary key,
    app_id integer not null,
    kinds integer not null,
    verified_kinds integer not null,
    platform_source_rank smallint not null,
    app_version_source_rank smallint not null,
    campaign_source_rank smallint not null,
    category_source_rank smallint not null,
    category_version integer,
    first_event_at timestamptz not null,
    sent_at timestamptz,
    receipt_issued_at timestamptz,
    confirmed_at timestamptz,
    responded_at timestamptz,
    verified_sent_at timestamptz,
    verified_confirmed_at timestamptz,
    verified_responded_at timestamptz,
    converted_at timestamptz,
    verified_converted_at timestamptz,
    failed_at timestamptz,
    replaced_at timestamptz,
    verified_failed_at timestamptz,
    verified_replaced_at timestamptz,
    notification_id text collate "C",
    device_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    fallbacks text[] collate "C",
    actions afterpush.delivery_action[]
) with (fillfactor = 80);
create index deliveries_device on afterpush.deliveries (app_id, device_id);
create index deliveries_anchor on afterpush.deliveries using brin (
    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) timestamptz_minmax_multi_ops
) with (pages_per_range = 32);
-- Confirmations by time, for the report `influence`. Deliveries arrive roughly in this order, so a BRIN index needs few
-- bytes. Before PostgreSQL 16, a delivery that is confirmed after it was sent gets a new entry in every index because
-- of it; that costs a few microseconds.
create index deliveries_confirmed on afterpush.deliveries using brin (confirmed_at timestamptz_minmax_multi_ops)
    with (pages_per_range = 32);
-- Samples of deliveries by the first bits of their ids, for the report `overview` (functions/deliveries/sample.sql): one in
-- 8, 64 and 512. An index on the anchor itself would have an entry for each delivery.
create index deliveries_one_in_8 on afterpush.deliveries (
    app_id, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at)
) where delivery_id < '20000000-0000-0000-0000-000000000000';
create index deliveries_one_in_64 on afterpush.deliveries (
    app_id, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at)
) where delivery_id < '04000000-0000-0000-0000-000000000000';
create index deliveries_one_in_512 on afterpush.deliveries (
    app_id, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at)
) where delivery_id < '00800000-0000-0000-0000-000000000000';
comment on index afterpush.deliveries_one_in_8 is 'An eighth of the deliveries by their anchor.';
comment on index afterpush.deliveries_one_in_64 is 'One in 64 deliveries by their anchor.';
comment on index afterpush.deliveries_one_in_512 is 'One in 512 deliveries by their anchor.';
comment on table afterpush.deliveries is
    'One row per delivery, which is one notification on one device: what its stored events say about it.';
comment on column afterpush.deliveries.delivery_id is
    'The identity of the delivery, as in events; once its device was erased, a random one with the device''s bucket.';
comment on column afterpush.deliveries.app_id is 'The app.';
comment on column afterpush.deliveries.kinds is 'The kinds of its events, a bit each (function kind_bit).';
comment on column afterpush.deliveries.verified_kinds is 'The kinds of its verified events, a bit each.';
comment on column afterpush.deliveries.platform_source_rank is
    'What states the platform: 1 a sent event, 2 a confirmation, 3 another event, each verified; 4 to 6 the same '
    'unverified; 7 none.';
comment on column afterpush.deliveries.app_version_source_rank is
    'What states the app version; see platform_source_rank.';
comment on column afterpush.deliveries.campaign_source_rank is
    'What states campaign and variant; see platform_source_rank.';
comment on column afterpush.deliveries.category_source_rank is
    'What states category and version; see platform_source_rank.';
comment on column afterpush.deliveries.category_version is
    'The stated version of the category; if null, the version in force at the anchor''s hour applies.';
comment on column afterpush.deliveries.first_event_at is
    'Earliest occurred_at of its verified events; of all its events if none is verified.';
comment on column afterpush.deliveries.sent_at is 'Earliest occurred_at of its sent events.';
comment on column afterpush.deliveries.receipt_issued_at is
    'Earliest issue time of the receipts of its verified events; of all its events if none is verified.';
comment on column afterpush.deliveries.confirmed_at is 'Earliest occurred_at of its delivered events.';
comment on column afterpush.deliveries.responded_at is
    'Earliest occurred_at of its opens, actions, text inputs and dismissals.';
comment on column afterpush.deliveries.verified_sent_at is 'Like sent_at, of verified events.';
comment on column afterpush.deliveries.verified_confirmed_at is 'Like confirmed_at, of verified events.';
comment on column afterpush.deliveries.verified_responded_at is 'Like responded_at, of verified events.';
comment on column afterpush.deliveries.converted_at is
    'Earliest occurred_at of its converted events that are not before its anchor.';
comment on column afterpush.deliveries.verified_converted_at is 'Like converted_at, of verified events.';
comment on column afterpush.deliveries.failed_at is
    'Earliest occurred_at of its failed events, whatever state it is in.';
comment on column afterpush.deliveries.replaced_at is
    'Earliest occurred_at of its replaced events, whatever state it is in.';
comment on column afterpush.deliveries.verified_failed_at is 'Like failed_at, of verified events.';
comment on column afterpush.deliveries.verified_replaced_at is 'Like replaced_at, of verified events.';
comment on column afterpush.deliveries.notification_id is 'The notification; null once its device was erased.';
comment on column afterpush.deliveries.device_id is 'The device; null once it was erased.';
comment on column afterpush.deliveries.platform is 'Platform, as known before anyone responded.';
comment on column afterpush.deliveries.app_version is 'Version of the app, as known before anyone responded.';
comment on column afterpush.deliveries.campaign_id is 'Campaign, as known before anyone responded.';
comment on column afterpush.deliveries.variant is 'Variant, taken together with campaign_id.';
comment on column afterpush.deliveries.category_id is 'Category, as known before anyone responded.';
comment on column afterpush.deliveries.fallbacks is
    'What unverified sends and confirmations state of platform, app version, campaign and category, where a verified '
    'response decides: attribution keys; null if there is none.';
comment on column afterpush.deliveries.actions is
    'The actions that were taken, in byte order of their identifiers: earliest time and number of events of each.';
alter table afterpush.deliveries enable row level security;
create policy report on afterpush.deliveries for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.deliveries to afterpush_ingest, afterpush_worker using (true) with check (true);

create table afterpush.late_deliveries (
    delivery_id uuid primary key,
    app_id integer not null
);
comment on table afterpush.late_deliveries is
    'Deliveries whose anchor moved into an hour that was already sealed, so that no rollup counts them.';
comment on column afterpush.late_deliveries.delivery_id is 'The delivery.';
comment on column afterpush.late_deliveries.app_id is 'The app.';
alter table afterpush.late_deliveries enable row level security;
create policy serve on afterpush.late_deliveries to afterpush_worker using (true) with check (true);
