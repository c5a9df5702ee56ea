-- Rejected events that say the id of a device, for its export.
-- $1: app_id. $2: device_id. $3: the rejection_ids of events that can say it.
-- Returns the events as JSON objects, in order.
select to_jsonb(r) - array['app_id', 'fingerprint']
from afterpush.rejected_events as r
where r.app_id = $1
  and r.rejection_id = any ($3::bigint[])
  and afterpush.says_id(afterpush.rejected_event_content(r.event), $2)
order by r.rejection_id
