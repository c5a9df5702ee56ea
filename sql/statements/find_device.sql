-- The delivery_ids under which anything about a device is stored, and facts about the device itself.
-- $1: app_id. $2: device_id. $3: delivery_id of the device's own events, which belong to no delivery.
-- Returns a row per delivery_id, at least one; each repeats a JSON object with device_id, app and suppressed, which
-- says whether the device is on the suppression list.
select
    ids.delivery_id,
    json_build_object(
        'device_id', $2::text,
        'app', (select a.name from afterpush.apps as a where a.app_id = $1),
        'suppressed', exists (
            select
            from afterpush.suppression_keys as k
            join afterpush.suppressed_devices as s using (key_id)
            where s.app_id = $1
              and s.device_hash = afterpush.device_hash($2, k.inner_block, k.outer_block)
        )
    )::text
from (
    select $3::uuid as delivery_id
    union
    select d.delivery_id
    from afterpush.deliveries as d
    where d.app_id = $1
      and d.device_number = afterpush.device_number($2)
      and d.device_id = $2
    union
    -- An erasure has deleted a part of it.
    select j.partial_delivery
    from afterpush.erasures as j
    where j.app_id = $1
      and j.device_id = $2
      and j.partial_delivery is not null
    union
    -- Events that are not merged into deliveries yet.
    select e.delivery_id
    from afterpush.events as e
    where e.batch_id = any (
            array(
                select b.batch_id
                from afterpush.batches as b
                where b.app_id = $1
                  and b.rolled_up_at is null
                order by b.batch_id + 0
            )
        )
      and e.app_id = $1
      and e.device_id = $2
) as ids
order by ids.delivery_id
