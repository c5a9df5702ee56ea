-- What rollup_device_bucket_totals must hold, summed from rollup_device_buckets. rollup_verify compares the two, and
-- rollup_rebuild stores this.
create or replace view afterpush.summed_device_buckets as
select
    app_id, modes, anchor_day,
    case when actions = '{}' then '' else campaign_id end as campaign_id,
    case when actions = '{}' then '' else category_id end as category_id,
    case when actions = '{}' then 0 else category_version end as category_version,
    kinds, actions,
    sum(device_buckets) as device_buckets
from afterpush.rollup_device_buckets
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.summed_device_buckets is
    'What rollup_device_bucket_totals must hold, summed from rollup_device_buckets.';
