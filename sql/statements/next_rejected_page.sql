-- The next rejected events in which the devices of erasures are to be looked for.
-- $1: the most events. They have about 1 MiB together at most.
-- Returns a row per rejected event, in order: app_id; the rejection_id after which the page begins; in the first row,
-- the hashes and the ids of the devices, in the same order; rejection_id; event. No row means that there is nothing to
-- check.
--
-- Of the apps that have unchecked ones, any: so an app with many does not delay the erasures of others.
with job as materialized (
    select e.app_id, e.rejected_checked
    from (
        select distinct on (c.app_id) c.*
        from afterpush.erasures as c
        where c.phase = 'checking_rejected'
          and exists (
              select
              from afterpush.rejected_events as r
              where r.app_id = c.app_id
                and r.rejection_id > c.rejected_checked
          )
        order by c.app_id, c.requested_at, c.device_hash
    ) as e
    order by random()
    limit 1
),
devices as materialized (
    select array_agg(e.device_hash) as hashes, array_agg(e.device_id) as ids
    from afterpush.erasures as e
    join job using (app_id)
    where e.phase = 'checking_rejected'
),
page as materialized (
    select
        r.app_id, r.rejection_id, r.event,
        row_number() over (order by r.rejection_id) as place,
        sum(octet_length(r.event)) over (order by r.rejection_id) - octet_length(r.event) as bytes_before
    from (
        select r.app_id, r.rejection_id, r.event
        from afterpush.rejected_events as r
        where r.app_id = (select app_id from job)
          and r.rejection_id > (select rejected_checked from job)
        order by r.rejection_id
        limit $1
    ) as r
)
select
    p.app_id, j.rejected_checked,
    case when p.place = 1 then d.hashes end,
    case when p.place = 1 then d.ids end,
    p.rejection_id, p.event
from page as p
cross join job as j
cross join devices as d
where coalesce(p.bytes_before, 0) < 1048576
order by p.rejection_id
