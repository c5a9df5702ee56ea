-- Texts of the deliveries $1 that come after ($2 delivery_id, $3 event_id, $4 device_time), $5 of them at most.
-- Returns these three and the text as JSON.
select
    r.delivery_id,
    r.event_id,
    r.device_time,
    to_jsonb(r) - 'app_id'
from afterpush.replies as r
where r.delivery_id = any ($1)
  and (r.delivery_id, r.event_id, r.device_time) > ($2, $3, $4)
order by r.delivery_id, r.event_id, r.device_time
limit $5
