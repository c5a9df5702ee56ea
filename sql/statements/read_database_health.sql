-- How far rollups lag and how many partitions exist ahead. Cheap enough to run every second.
-- $1: rows counted at most.
-- Returns one row: age of the oldest waiting batch in seconds, number of waiting batches, number of their events;
-- number of consecutive months, from the present one on, that have a partition; number of events in the default
-- partition; the clock in seconds since 1970; age of the oldest waiting batch of the apps that are merged together, in
-- seconds.
with waiting as (
    select started_at, events
    from afterpush.batches
    where rolled_up_at is null
    order by batch_id
    limit $1
),
months as (
    select
        ahead,
        to_char((now() at time zone 'UTC') + make_interval(months => ahead), '"afterpush.events_"YYYY_MM') as partition
    from generate_series(0, 12) as ahead
)
select
    greatest(coalesce(extract(epoch from clock_timestamp() - min(started_at)), 0), 0)::double precision,
    count(*),
    coalesce(sum(events), 0)::bigint,
    (select coalesce(min(ahead), 13)::integer from months where to_regclass(partition) is null),
    (select count(*) from (select from afterpush.events_default limit $1) as default_events),
    extract(epoch from clock_timestamp())::double precision,
    case
        when exists (select from afterpush.apps_merged_apart) then (
            select greatest(coalesce(extract(epoch from clock_timestamp() - min(b.started_at)), 0), 0)
            from afterpush.apps_to_merge(null) as a (app_id)
            cross join lateral afterpush.oldest_waiting_batch(a.app_id) as b
        )
        else greatest(coalesce(extract(epoch from clock_timestamp() - min(started_at)), 0), 0)
    end::double precision
from waiting
