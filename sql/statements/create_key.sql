-- Stores a new API key of an app that is locked by lock_app, unless the app has as many valid keys as it may have.
-- $1: app_id. $2: SHA-256 of the key. $3: scope. $4: hint. $5: the most valid keys.
-- Returns key_id and created_at; no row if there is no room.
insert into afterpush.api_keys (app_id, key_hash, scope, hint)
select $1::integer, $2::bytea, $3::text, $4::text
where (
    select count(*)
    from afterpush.api_keys
    where app_id = $1::integer
      and revoked_at is null
) < $5::bigint
returning key_id, created_at
