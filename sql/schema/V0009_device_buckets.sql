-- Sums by device bucket, from which reports compute how alike the deliveries of a device are: the design effect
-- (functions/statistics/design_effect.sql).
--
-- A device belongs to one of 128 buckets, and a delivery to the bucket of its device: the low seven bits of its
-- delivery_id (function device_bucket). An erased delivery gets a random id with the same bits, so its bucket stays.
--
-- A delivery is counted in one row: that of its groups and of the kinds of events that rates depend on. Every state,
-- within either base, is a sum of such rows. The counts of the 128 buckets are one number, device_buckets: the count of
-- bucket b times 10^(8 b). So sum() adds all buckets at once, with signed differences as well; see
-- functions/rollups/packed_buckets.sql. A count holds up to 99,999,999.
--
-- The number of rows depends on the groups and not on the deliveries: a day of 35 campaigns with three variants on two
-- platforms has 2,100 rows of 0.5 KB, whether it has 280,000 deliveries or millions. Adding to them in every merge makes
-- merging about a tenth slower (measured with 2.15 million events in runs of 50,000; as arrays of integers, or with a row
-- per bucket, it would be several times as much). So merging only notes the bucket of each delivery that changed, in one
-- byte, in rollup_device_changes, which costs 1 to 4 %. settle_device_changes adds these to the sums when no batch waits,
-- and when many changes wait. What reports read is both together (view device_bucket_counts), so nothing is late.
create table afterpush.rollup_device_buckets (
    app_id integer not null,
    modes smallint not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    kinds integer not null,
    actions text[] collate "C" not null,
    device_buckets numeric not null
) with (fillfactor = 80);
create unique index rollup_device_buckets_key on afterpush.rollup_device_buckets (
    app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes,
    afterpush.actions_key(actions)
);
comment on table afterpush.rollup_device_buckets is
    'Deliveries by 128 device buckets, by dimension, UTC day and the kinds of events that rates depend on.';
comment on column afterpush.rollup_device_buckets.app_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.modes is
    '1: by all events; 2: by verified events only; 3: both, for deliveries that both describe alike.';
comment on column afterpush.rollup_device_buckets.anchor_day is 'Day of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_device_buckets.campaign_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.variant is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.category_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.category_version is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.platform is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.kinds is
    'The kinds of the deliveries'' events that rates depend on, a bit each (function rate_kinds).';
comment on column afterpush.rollup_device_buckets.actions is 'As in rollup_deliveries.';
comment on column afterpush.rollup_device_buckets.device_buckets is
    'Number of deliveries in each bucket: that of bucket b times 10^(8 b), summed (function packed_buckets).';
alter table afterpush.rollup_device_buckets enable row level security;
create policy report on afterpush.rollup_device_buckets for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_device_buckets to afterpush_worker using (true) with check (true);

-- The same for reports about all campaigns at once: summed over variants and platforms, and over campaigns and
-- categories too where nothing that is declared matters, which is where there is no action.
create table afterpush.rollup_device_bucket_totals (
    app_id integer not null,
    modes smallint not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    kinds integer not null,
    actions text[] collate "C" not null,
    device_buckets numeric not null
) with (fillfactor = 80);
create unique index rollup_device_bucket_totals_key on afterpush.rollup_device_bucket_totals (
    app_id, anchor_day, campaign_id, category_id, category_version, kinds, modes, afterpush.actions_key(actions)
);
comment on table afterpush.rollup_device_bucket_totals is
    'rollup_device_buckets, summed over variants and platforms; without actions also over campaigns and categories.';
comment on column afterpush.rollup_device_bucket_totals.app_id is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_bucket_totals.modes is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_bucket_totals.anchor_day is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_bucket_totals.campaign_id is
    'Campaign; empty when unknown or without actions.';
comment on column afterpush.rollup_device_bucket_totals.category_id is
    'Category; empty when unknown or without actions.';
comment on column afterpush.rollup_device_bucket_totals.category_version is
    'Stated version of the category; 0 when unstated or without actions.';
comment on column afterpush.rollup_device_bucket_totals.kinds is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_bucket_totals.actions is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_bucket_totals.device_buckets is 'As in rollup_device_buckets.';
alter table afterpush.rollup_device_bucket_totals enable row level security;
create policy report on afterpush.rollup_device_bucket_totals for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_device_bucket_totals to afterpush_worker using (true) with check (true);

-- What merging found and settle_device_changes has not added yet. A row is a group of one merge. It has no index: it is
-- read and emptied as a whole, and is empty most of the time.
create table afterpush.rollup_device_changes (
    app_id integer not null,
    modes smallint not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    kinds integer not null,
    actions text[] collate "C" not null,
    come bytea not null,
    gone bytea not null
);
comment on table afterpush.rollup_device_changes is
    'Changes of deliveries by device bucket that rollup_device_buckets does not contain yet.';
comment on column afterpush.rollup_device_changes.app_id is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.modes is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.anchor_day is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.campaign_id is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.variant is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.category_id is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.category_version is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.platform is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.kinds is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.actions is 'As in rollup_device_buckets.';
comment on column afterpush.rollup_device_changes.come is
    'A byte for each delivery that came to be in the group, whose low seven bits are its device bucket.';
comment on column afterpush.rollup_device_changes.gone is 'The same for each delivery that left the group.';
alter table afterpush.rollup_device_changes enable row level security;
create policy report on afterpush.rollup_device_changes for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_device_changes to afterpush_worker using (true) with check (true);

-- For the number of devices of a campaign: the deliveries of a sixteenth of the devices, 8 of the 128 buckets.
create index deliveries_sampled_devices on afterpush.deliveries (app_id, campaign_id, variant, device_id)
    where get_byte(uuid_send(delivery_id), 15) & 127 < 8;
comment on index afterpush.deliveries_sampled_devices is
    'Deliveries of a sixteenth of the devices, from which reports estimate how many devices a campaign reached.';

-- For the number of devices of everything: the deliveries of an eighth of the devices, by a hash of their names, of which
-- a report reads as many as it has time for.
create index deliveries_hashed_devices on afterpush.deliveries (
    app_id, (hashtextextended(device_id, 0) & 1048575)
) where (hashtextextended(device_id, 0) & 1048575) < 131072;
comment on index afterpush.deliveries_hashed_devices is
    'Deliveries of an eighth of the devices by a hash, from which the report overview estimates how many devices there are.';
