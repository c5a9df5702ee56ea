-- The app and scope of the key whose SHA-256 is $1, and whether its app requires receipts; no row when there is none, or it was revoked.
select k.key_id, k.app_id, a.name, k.scope, a.receipt_policy = 'required'
from afterpush.api_keys as k
join afterpush.apps as a using (app_id)
where k.key_hash = $1
  and k.revoked_at is null
