-- A page of the events of a device, for its export.
-- $1: delivery_ids. $2, $3, $4: delivery_id, event_id and device_time of the last row of the previous page. $5: limit.
-- Returns these three columns and the event as a JSON object without nulls.
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
