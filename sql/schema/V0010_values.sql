-- The value of deliveries: what their converted events state in `value` and `currency`. Both tables follow deliveries
-- and events as the other layers do: whoever writes them holds the lock on the row of rollup_worker.
--
-- Few deliveries have a value, so both tables are small beside the others.

-- Layer 2: the sums of each delivery. They can't be taken from the events when a report runs, because these may be
-- purged earlier, and are erased with their device.
create table afterpush.delivery_values (
    delivery_id uuid not null,
    currency text collate "C" not null,
    app_id integer not null,
    value numeric not null,
    verified_value numeric,
    primary key (delivery_id, currency)
);
comment on table afterpush.delivery_values is
    'The value of a delivery in each currency: the sum over its distinct converted events that state one.';
comment on column afterpush.delivery_values.delivery_id is 'The delivery.';
comment on column afterpush.delivery_values.currency is 'Currency; empty if the events state none.';
comment on column afterpush.delivery_values.app_id is 'The app.';
comment on column afterpush.delivery_values.value is 'Sum of value over its converted events; refunds are negative.';
comment on column afterpush.delivery_values.verified_value is
    'The same over its verified converted events; null if none of them states a value.';
alter table afterpush.delivery_values enable row level security;
create policy serve on afterpush.delivery_values to afterpush_worker using (true) with check (true);

-- Layer 3, which outlives the deliveries. It has the sums from which a mean and its variance follow, and device
-- buckets, because deliveries of one device resemble each other in value as well (V0009_device_buckets).
create table afterpush.rollup_values (
    app_id integer not null,
    verified boolean not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    app_version text collate "C" not null,
    currency text collate "C" not null,
    is_sent boolean not null,
    is_confirmed boolean not null,
    device_bucket smallint not null,
    deliveries bigint not null,
    value numeric not null,
    squares numeric not null,
    primary key (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, currency, is_sent,
        is_confirmed, device_bucket
    )
);
comment on table afterpush.rollup_values is
    'Deliveries with a value, by dimension, anchor hour, currency and device bucket.';
comment on column afterpush.rollup_values.app_id is 'The app.';
comment on column afterpush.rollup_values.verified is 'As in rollup_deliveries.';
comment on column afterpush.rollup_values.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_values.campaign_id is 'Campaign; empty if unknown.';
comment on column afterpush.rollup_values.variant is 'Variant of the campaign; empty if unknown.';
comment on column afterpush.rollup_values.category_id is 'Category; empty if unknown.';
comment on column afterpush.rollup_values.platform is 'Platform; empty if unknown.';
comment on column afterpush.rollup_values.app_version is 'Version of the app; empty if unknown.';
comment on column afterpush.rollup_values.currency is 'Currency of the values; empty if the events state none.';
comment on column afterpush.rollup_values.is_sent is 'Whether the deliveries have a sent event.';
comment on column afterpush.rollup_values.is_confirmed is 'Whether the deliveries are confirmed.';
comment on column afterpush.rollup_values.device_bucket is 'Bucket of the deliveries'' devices (function device_bucket).';
comment on column afterpush.rollup_values.deliveries is 'Number of deliveries with a value in the currency.';
comment on column afterpush.rollup_values.value is 'Sum of their values.';
comment on column afterpush.rollup_values.squares is 'Sum of the squares of their values.';
alter table afterpush.rollup_values enable row level security;
create policy report on afterpush.rollup_values for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_values to afterpush_worker using (true) with check (true);

-- Merging reads a batch's values here, and no other of its events.
create index events_of_values on afterpush.events (batch_id) where kind = 'converted' and value is not null;
comment on index afterpush.events_of_values is 'Converted events with a value by batch, for merging.';
