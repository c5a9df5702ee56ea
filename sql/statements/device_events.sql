-- Events of the deliveries $1 that come after ($2 delivery_id, $3 event_id, $4 device_time), $5 of them at most.
-- Returns these three and the event as JSON.
select
    e.delivery_id,
    e.event_id,
    e.device_time,
    jsonb_strip_nulls(to_jsonb(e) - array['app_id', 'batch_id', 'device_time', 'properties'])
        || jsonb_build_object('device_time', e.device_time)
        || case when e.properties is null then '{}' else jsonb_build_object('properties', e.properties) end
from afterpush.events as e
where e.delivery_id = any ($1)
  and (e.delivery_id, e.event_id, e.device_time) > ($2, $3, $4)
order by e.delivery_id, e.event_id, e.device_time
limit $5
