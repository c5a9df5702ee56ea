-- How far behind the rollups are and how far ahead the partitions: one row, cheap enough to be asked each second.
-- $1: rows that are counted at most.
-- Returns the oldest waiting batch's age in seconds, waiting batches, their events; months in a row that have a
-- partition, from the present one on; events in the default partition.
with waiting as (
    select started_at, events
    from afterpush.batches
    where rolled_up_at is null
    order by batch_id
    limit $1
),
months as (
    select ahead, to_char((now() at time zone 'UTC') + make_interval(months => ahead), '"afterpush.events_"YYYY_MM') as part
    from generate_series(0, 12) as ahead
)
select
    greatest(coalesce(extract(epoch from clock_timestamp() - min(started_at)), 0), 0)::double precision,
    count(*),
    coalesce(sum(events), 0)::bigint,
    (select coalesce(min(ahead), 13)::integer from months where to_regclass(part) is null),
    (select count(*) from (select from afterpush.events_default limit $1) as kept)
from waiting
