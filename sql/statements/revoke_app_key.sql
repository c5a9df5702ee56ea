-- Revokes an API key of an app; a revoked one keeps its revoked_at.
-- $1: key_id. $2: app_id.
update afterpush.api_keys
set revoked_at = coalesce(revoked_at, now())
where key_id = $1
  and app_id = $2
