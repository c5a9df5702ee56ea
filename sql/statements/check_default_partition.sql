-- Counts the events in the default partition.
-- $1: events counted at most.
-- Returns how many lie within three months of now, so that their month should have a partition, and how many don't,
-- which come from devices with a wrong clock.
select
    count(*) filter (where is_near),
    count(*) filter (where not is_near)
from (
    select device_time between now() - interval '3 months' and now() + interval '3 months' as is_near
    from afterpush.events_default
    limit $1
) as default_events
