-- Stores a link that shares a view, for an app that is locked by lock_app.
-- $1: app_id. $2: key_id of the key that creates it, null for the command line. $3: SHA-256 of the token. $4: name.
-- $5: view. $6: lifetime in seconds. $7: the most links of an app.
-- Returns share_id, and when the link was created and expires, in microseconds since 1970; no row if the app has too many
-- links, or the key is revoked.
insert into afterpush.shares (app_id, key_id, token_hash, name, view, expires_at)
select $1, $2, $3, $4, $5, now() + make_interval(secs => $6)
where (select count(*) from afterpush.shares where app_id = $1) < $7
  and not exists (select from afterpush.api_keys where key_id = $2 and revoked_at is not null)
returning
    share_id, (extract(epoch from created_at) * 1000000)::bigint, (extract(epoch from expires_at) * 1000000)::bigint
