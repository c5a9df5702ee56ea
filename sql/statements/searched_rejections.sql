-- A page of rejected events, in which the devices of erasures that have only a hash are looked for.
-- $1: last rejection_id of the previous page. $2: the most events. They have about 1 MiB together at most.
-- Returns a row per rejected event of an app with such erasures, in order: rejection_id, app_id, event. No row means that
-- the previous page was the last.
select p.rejection_id, p.app_id, p.event
from (
    select
        r.rejection_id, r.app_id, r.event,
        sum(octet_length(r.event)) over (order by r.rejection_id) - octet_length(r.event) as bytes_before
    from (
        select r.rejection_id, r.app_id, r.event
        from afterpush.rejected_events as r
        where r.app_id in (select app_id from afterpush.erasures where phase = 'searching' and device_id is null)
          and r.rejection_id > $1
        order by r.rejection_id
        limit $2
    ) as r
) as p
where coalesce(p.bytes_before, 0) < 1048576
order by p.rejection_id
