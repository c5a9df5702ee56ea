-- The deliveries that an id names, for the inspector, where an index finds them: the id of a device or of a delivery.
-- $1: app_id. $2: the id. $3: the id as a UUID; null if it is none. $4: rows at most.
-- Runs as afterpush_report. Returns what the id is (device or delivery) and the delivery_id.
(
    select 'device' as meaning, d.delivery_id
    from afterpush.deliveries as d
    where d.app_id = $1
      and d.device_number = afterpush.device_number($2)
      and d.device_id = $2
    order by afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) desc, d.delivery_id
    limit $4
)
union all
-- Events that are about the device alone.
select 'device', own.delivery_id
from afterpush.device_identity($1, $2) as own (delivery_id)
where exists (
    select
    from afterpush.events as e
    where e.delivery_id = own.delivery_id
      and e.app_id = $1
)
union all
select 'delivery', $3
where exists (
    select
    from afterpush.deliveries as d
    where d.delivery_id = $3
      and d.app_id = $1
) or exists (
    select
    from afterpush.events as e
    where e.delivery_id = $3
      and e.app_id = $1
)
