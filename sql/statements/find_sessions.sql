-- The dashboard sessions with these hashes.
-- $1: SHA-256 of each session cookie, as an array.
-- Returns the hash, key_id, app_id, name of the app, scope, whether the app requires receipts, and when the session
-- expires, in microseconds since 1970; no row for a session that does not exist or has expired, or whose key is revoked.
select
    s.session_hash,
    k.key_id,
    k.app_id,
    a.name,
    k.scope,
    a.receipt_policy = 'required',
    (extract(epoch from s.expires_at) * 1000000)::bigint
from afterpush.sessions as s
join afterpush.api_keys as k using (key_id)
join afterpush.apps as a using (app_id)
where s.session_hash = any ($1)
  and s.expires_at > now()
  and k.revoked_at is null
