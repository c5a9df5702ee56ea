-- What an archive of old events would do at the moment.
--
-- A seal can't be undone, so hours are sealed only if a month before them has events to archive, as in month_contents.
-- A partition is not enough: those around the present month are created again and again, and stay empty.
-- $1: the retention period of events in seconds.
-- Returns a row per month that would be archived and deleted, oldest first: the name of its partition, an estimate of
-- its rows, and the moment before which hours would be sealed first; null if they are sealed already.
with moments as materialized (
    select afterpush.retention_cutoff(make_interval(secs => $1)) as cutoff, sealed_before
    from afterpush.rollup_worker
),
plan as materialized (
    select
        m.cutoff,
        m.sealed_before,
        m.cutoff > m.sealed_before and exists (
            select
            from afterpush.expired_partitions(m.cutoff) as p (name)
            cross join lateral (select to_date(right(p.name, 7), 'YYYY_MM')::timestamp) as s (month)
            -- As a value, because `exists` could become a join that reads all months.
            where (
                select true
                from afterpush.events as e
                where e.device_time >= s.month at time zone 'UTC'
                  and e.device_time < (s.month + interval '1 month') at time zone 'UTC'
                  and e.occurred_at < m.cutoff
                  and not exists (
                      select
                      from afterpush.erasures as x
                      where x.app_id = e.app_id
                        and x.device_id = e.device_id
                        and x.finished_at is null
                  )
                limit 1
            )
        ) as seals
    from moments as m
)
select
    p.name,
    greatest(c.reltuples, 0)::bigint,
    case when plan.seals then afterpush.rfc3339(plan.cutoff) end
from plan
cross join lateral afterpush.expired_partitions(
    case when plan.seals then plan.cutoff else least(plan.cutoff, plan.sealed_before) end
) as p (name)
left join pg_class as c on c.relname = p.name and c.relnamespace = 'afterpush'::regnamespace
order by p.name
