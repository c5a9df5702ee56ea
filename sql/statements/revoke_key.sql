-- Revokes an API key; a revoked one keeps its revoked_at.
-- $1: key_id.
update afterpush.api_keys
set revoked_at = coalesce(revoked_at, now())
where key_id = $1
