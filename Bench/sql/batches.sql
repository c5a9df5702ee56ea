-- The batches after :after: number of batches, events, duplicates and rejected events, and the median and maximum
-- milliseconds from a batch's commit to its rollup.
select
    count(*),
    coalesce(sum(events), 0),
    coalesce(sum(duplicates), 0),
    coalesce(sum(rejected), 0),
    coalesce(extract(epoch from percentile_cont(0.5) within group (order by rolled_up_at - started_at)) * 1000, 0),
    coalesce(extract(epoch from max(rolled_up_at - started_at)) * 1000, 0)
from afterpush.batches
where batch_id > :after;
