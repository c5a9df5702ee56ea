-- The session whose token has the SHA-256 $1: its key, app and scope, whether the app requires receipts, and when it ends,
-- in microseconds since 1970; no row if there is none, it has ended, or its key was revoked.
select
    k.key_id,
    k.app_id,
    a.name,
    k.scope,
    a.receipt_policy = 'required',
    (extract(epoch from s.expires_at) * 1000000)::bigint
from afterpush.sessions as s
join afterpush.api_keys as k using (key_id)
join afterpush.apps as a using (app_id)
where s.session_hash = $1
  and s.expires_at > now()
  and k.revoked_at is null
