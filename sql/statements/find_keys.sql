-- The API keys with these hashes.
-- $1: SHA-256 of each key, as an array.
-- Returns the hash, key_id, app_id, name of the app, scope, whether the app requires receipts, and the key of the event
-- ids that are derived from content; no row for a key that does not exist or is revoked.
select k.key_hash, k.key_id, k.app_id, a.name, k.scope, a.receipt_policy = 'required', a.event_id_key
from afterpush.api_keys as k
join afterpush.apps as a using (app_id)
where k.key_hash = any ($1)
  and k.revoked_at is null
