-- The links that share a view, by the hashes of their tokens.
-- $1: SHA-256 of each token, as an array.
-- Returns the hash, share_id, app_id, name of the app, name and view of the link, and when it was created and expires, in
-- microseconds since 1970; no row for a link that does not exist or has expired, or whose key is revoked.
select
    s.token_hash,
    s.share_id,
    s.app_id,
    a.name,
    s.name,
    s.view,
    (extract(epoch from s.created_at) * 1000000)::bigint,
    (extract(epoch from s.expires_at) * 1000000)::bigint
from afterpush.shares as s
join afterpush.apps as a using (app_id)
left join afterpush.api_keys as k on k.key_id = s.key_id
where s.token_hash = any ($1)
  and s.expires_at > now()
  and k.revoked_at is null
