-- The API key with a hash.
-- $1: SHA-256 of the key.
-- Returns key_id, app_id, name of the app, scope, and whether the app requires receipts; no row if the key does not
-- exist or is revoked.
select k.key_id, k.app_id, a.name, k.scope, a.receipt_policy = 'required'
from afterpush.api_keys as k
join afterpush.apps as a using (app_id)
where k.key_hash = $1
  and k.revoked_at is null
