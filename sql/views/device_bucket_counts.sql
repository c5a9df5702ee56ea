-- Deliveries by device bucket as reports read them: rollup_device_buckets, and the changes that it does not contain
-- yet, as signed differences.
create or replace view afterpush.device_bucket_counts with (security_invoker = true) as
select
    app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
    device_buckets
from afterpush.rollup_device_buckets
union all
select
    app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
    afterpush.packed_buckets(come) - afterpush.packed_buckets(gone)
from afterpush.rollup_device_changes;
comment on view afterpush.device_bucket_counts is
    'Deliveries by device bucket: rollup_device_buckets, and changes that it does not contain yet.';
