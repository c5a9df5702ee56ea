-- Claims the next rejected events in which the devices of erasures are to be looked for, for half a minute.
-- $1: the most events. They have about 1 MiB together at most.
-- Returns a row per rejected event, in order: app_id; the rejection_id after which the page begins; in the first row,
-- the hashes and the ids of the devices, in the same order; rejection_id; event. No row means that there is nothing to
-- check, or that other collectors check it.
--
-- Of the apps that have unchecked ones, any: so an app with many does not delay the erasures of others. Apps whose events
-- another collector checks are passed over. A claim ends with the check (erase_rejected_page), or if the collector was
-- killed, after its time.
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
          and not exists (
              select
              from afterpush.erasures as other
              where other.app_id = c.app_id
                and other.phase = 'checking_rejected'
                and other.claimed_until > clock_timestamp()
          )
        order by c.app_id, c.requested_at, c.device_hash
    ) as e
    order by random()
    limit 1
),
claimed as (
    -- Of two collectors that claim the same jobs at the same moment, the second one sees here that they are claimed.
    update afterpush.erasures as e
    set claimed_until = clock_timestamp() + interval '30 seconds'
    from job
    where e.app_id = job.app_id
      and e.phase = 'checking_rejected'
      and (e.claimed_until is null or e.claimed_until <= clock_timestamp())
    returning e.device_hash, e.device_id
),
devices as materialized (
    select array_agg(c.device_hash) as hashes, array_agg(c.device_id) as ids
    from claimed as c
    having count(*) > 0
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
