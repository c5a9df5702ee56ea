-- Counts the events in the default partition.
-- $1: events counted at most.
-- Returns how many lie within three months of now, so that their month should have a partition; how many of these are of
-- months that are sealed and get none any more; and how many don't lie there, which come from devices with a wrong clock.
select
    count(*) filter (where is_near and not is_sealed),
    count(*) filter (where is_near and is_sealed),
    count(*) filter (where not is_near)
from (
    select
        e.device_time between now() - interval '3 months' and now() + interval '3 months' as is_near,
        date_trunc('month', e.device_time, 'UTC') + interval '1 month' <= w.sealed_before as is_sealed
    from afterpush.events_default as e
    cross join afterpush.rollup_worker as w
    limit $1
) as default_events
