-- What the batches after :after stored: batches, events, duplicates, rejected; and how many milliseconds after its
-- commit a batch was in the rollups: median and most.
select
    count(*),
    coalesce(sum(events), 0),
    coalesce(sum(duplicates), 0),
    coalesce(sum(rejected), 0),
    coalesce(extract(epoch from percentile_cont(0.5) within group (order by rolled_up_at - started_at)) * 1000, 0),
    coalesce(extract(epoch from max(rolled_up_at - started_at)) * 1000, 0)
from afterpush.batches
where batch_id > :after;
