-- Deliveries by device bucket as reports about all campaigns read them: rollup_device_bucket_totals, and the changes
-- that it does not contain yet, as signed differences. The columns are those of device_bucket_counts.
create or replace view afterpush.device_bucket_totals with (security_invoker = true) as
select
    app_id, modes, anchor_day, campaign_id, ''::text collate "C" as variant, category_id, category_version,
    ''::text collate "C" as platform, kinds, actions, device_buckets
from afterpush.rollup_device_bucket_totals
union all
select
    app_id, modes, anchor_day, campaign_id, '', category_id, category_version, '', kinds, actions,
    afterpush.packed_buckets(come) - afterpush.packed_buckets(gone)
from afterpush.rollup_device_changes;
comment on view afterpush.device_bucket_totals is
    'Deliveries by device bucket, of all variants and platforms: rollup_device_bucket_totals, and changes since.';
