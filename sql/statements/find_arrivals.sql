-- The times of events that are stored already and whose sender states none.
-- $1: app_id. $2: delivery_ids. $3: event_ids. $4: the earliest times. $2 to $4 are arrays of the same length. $5: the
-- earliest of the times, which keeps older partitions out.
-- Returns event_id and device_time of those that are stored.
select a.event_id, e.device_time
from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as a (delivery_id, event_id, since)
cross join lateral (
    select e.device_time
    from afterpush.events as e
    where e.app_id = $1
      and e.delivery_id = a.delivery_id
      and e.event_id = a.event_id
      and e.device_time >= a.since
      and e.device_time >= $5
    order by e.device_time
    limit 1
) as e
