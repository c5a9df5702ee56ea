-- The hashes of erased devices whose ids are unknown, because a backup was restored.
-- Returns a row for each and for each key that it can be made with: app_id, device_hash, key.
select e.app_id, e.device_hash, k.key
from afterpush.erasures as e
cross join afterpush.suppression_keys as k
where e.phase = 'searching'
  and e.device_id is null
