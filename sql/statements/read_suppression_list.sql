-- What is taken no more: the time before which events are refused, and the devices that were erased after number $1,
-- $2 of them at most. At least one row.
-- Returns the time; whether number $1 is there; and number, app_id, the app's name, hash and key, null when there is none.
select
    r.rejected_before,
    $1 = 0 or exists (select from afterpush.suppressed_devices where suppression_id = $1),
    erased.suppression_id,
    erased.app_id,
    erased.name,
    erased.device_hash,
    erased.key
from afterpush.retention_state as r
left join lateral (
    select s.suppression_id, s.app_id, a.name, s.device_hash, k.key
    from afterpush.suppressed_devices as s
    join afterpush.apps as a using (app_id)
    join afterpush.suppression_keys as k using (key_id)
    where s.suppression_id > $1
    order by s.suppression_id
    limit $2
) as erased on true
order by erased.suppression_id
