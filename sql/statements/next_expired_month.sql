-- The oldest month of events that has its own partition, lies completely in sealed hours, and is past a retention
-- period.
-- $1: the retention period of events in seconds.
-- Returns the name of the partition, the start and end of the month, and the end of the sealed hours, all as text.
select
    p.name,
    afterpush.rfc3339(to_date(right(p.name, 7), 'YYYY_MM')::timestamp at time zone 'UTC'),
    afterpush.rfc3339((to_date(right(p.name, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC'),
    w.sealed_before::text
from afterpush.rollup_worker as w
cross join lateral afterpush.expired_partitions(
    least(w.sealed_before, afterpush.retention_time(), afterpush.retention_cutoff(make_interval(secs => $1)))
) as p (name)
limit 1
