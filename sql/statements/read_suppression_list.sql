-- The devices that were put on the suppression list since the previous call, and the announced seal.
-- $1: last suppression_id that the caller has read; 0 on the first call. $2: devices returned at most.
-- Returns a row per device, at least one: the time before which events are rejected; whether the list still has $1,
-- which is false after an older backup was restored; and suppression_id, app_id, name of the app, hash and key of the
-- device, null if there is no new one.
select
    r.rejected_before,
    $1 = 0 or exists (select from afterpush.suppressed_devices where suppression_id = $1),
    device.suppression_id,
    device.app_id,
    device.name,
    device.device_hash,
    device.key
from afterpush.retention_state as r
left join lateral (
    select s.suppression_id, s.app_id, a.name, s.device_hash, k.key
    from afterpush.suppressed_devices as s
    join afterpush.apps as a using (app_id)
    join afterpush.suppression_keys as k using (key_id)
    where s.suppression_id > $1
    order by s.suppression_id
    limit $2
) as device on true
order by device.suppression_id
