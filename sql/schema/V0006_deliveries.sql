-- The second layer of tables: one row per delivery, merged from its events.

-- A dimension is what the sends state, else the confirmations, else (of a delivery that has neither) other events:
-- its source_rank is 1, 2 or 3, and 4 while nothing states it. Lower standings win; within one, the smallest value.
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
    notification_id text collate "C",
    device_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    actions afterpush.delivery_action[]
) with (fillfactor = 80);
create index deliveries_device on afterpush.deliveries (app_id, device_id);
create index deliveries_anchor on afterpush.deliveries using brin (
    afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at) timestamptz_minmax_multi_ops
) with (pages_per_range = 32);
-- Confirmations by their time, for few bytes: deliveries come in about in its order. Before PostgreSQL 16, a delivery that is
-- confirmed after it was sent gets entries in all indexes for it, a few microseconds' work, which `influence` is worth.
create index deliveries_confirmed on afterpush.deliveries using brin (confirmed_at timestamptz_minmax_multi_ops)
    with (pages_per_range = 32);
comment on table afterpush.deliveries is
    'One row per delivery: one notification on one device, as a function of its stored events.';
comment on column afterpush.deliveries.delivery_id is 'As in events.';
comment on column afterpush.deliveries.app_id is 'The app.';
comment on column afterpush.deliveries.kinds is 'Bits of the kinds of its events (function kind_bit).';
comment on column afterpush.deliveries.verified_kinds is 'Bits of the kinds of its verified events.';
comment on column afterpush.deliveries.platform_source_rank is
    'Who states the platform: 1 a send, 2 a confirmation, 3 another event, 4 nobody.';
comment on column afterpush.deliveries.app_version_source_rank is 'Who states the app version; see platform_source_rank.';
comment on column afterpush.deliveries.campaign_source_rank is
    'Who states campaign and variant; see platform_source_rank.';
comment on column afterpush.deliveries.category_source_rank is
    'Who states category and version; see platform_source_rank.';
comment on column afterpush.deliveries.category_version is
    'Stated version of the category; null takes the one in force at the anchor''s hour.';
comment on column afterpush.deliveries.first_event_at is 'Earliest occurred_at of all its events.';
comment on column afterpush.deliveries.sent_at is 'Earliest occurred_at of its sent events.';
comment on column afterpush.deliveries.receipt_issued_at is 'Earliest issue time of the receipts that came back.';
comment on column afterpush.deliveries.confirmed_at is 'Earliest occurred_at of its delivered events.';
comment on column afterpush.deliveries.responded_at is
    'Earliest occurred_at of its opens, actions, text inputs and dismissals.';
comment on column afterpush.deliveries.verified_sent_at is 'Like sent_at, of verified events.';
comment on column afterpush.deliveries.verified_confirmed_at is 'Like confirmed_at, of verified events.';
comment on column afterpush.deliveries.verified_responded_at is 'Like responded_at, of verified events.';
comment on column afterpush.deliveries.notification_id is 'The notification; null once its device was erased.';
comment on column afterpush.deliveries.device_id is 'The device; null once it was erased.';
comment on column afterpush.deliveries.platform is 'Platform, as known before anyone responded.';
comment on column afterpush.deliveries.app_version is 'Version of the app, as known before anyone responded.';
comment on column afterpush.deliveries.campaign_id is 'Campaign, as known before anyone responded.';
comment on column afterpush.deliveries.variant is 'Variant, taken together with campaign_id.';
comment on column afterpush.deliveries.category_id is 'Category, as known before anyone responded.';
comment on column afterpush.deliveries.actions is
    'What was tapped or answered: action, earliest time, number of events.';
alter table afterpush.deliveries enable row level security;
create policy report on afterpush.deliveries for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.deliveries to afterpush_ingest, afterpush_worker using (true) with check (true);

create table afterpush.late_deliveries (
    delivery_id uuid primary key,
    app_id integer not null
);
comment on table afterpush.late_deliveries is
    'Deliveries whose anchor came to be in an hour that was sealed by then: no rollup counts them.';
comment on column afterpush.late_deliveries.delivery_id is 'The delivery.';
comment on column afterpush.late_deliveries.app_id is 'The app.';
alter table afterpush.late_deliveries enable row level security;
create policy serve on afterpush.late_deliveries to afterpush_worker using (true) with check (true);
