-- Stores a new API key.
-- $1: app_id. $2: SHA-256 of the key. $3: scope. $4: hint.
insert into afterpush.api_keys (app_id, key_hash, scope, hint)
values ($1, $2, $3, $4)
