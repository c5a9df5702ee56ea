-- A page of an app's rejected events, in which the export of a device looks for its id, and an erasure that has only a
-- hash for the device.
-- $1: app_id. $2: last rejection_id of the previous page. $3: the most events. They have about 1 MiB together at most.
-- Returns a row per rejected event, in order: rejection_id, event. No row means that the previous page was the last.
select p.rejection_id, p.event
from (
    select
        r.rejection_id, r.event,
        sum(octet_length(r.event)) over (order by r.rejection_id) - octet_length(r.event) as bytes_before
    from (
        select r.rejection_id, r.event
        from afterpush.rejected_events as r
        where r.app_id = $1
          and r.rejection_id > $2
        order by r.rejection_id
        limit $3
    ) as r
) as p
where coalesce(p.bytes_before, 0) < 1048576
order by p.rejection_id
