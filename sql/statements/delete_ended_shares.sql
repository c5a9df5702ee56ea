-- Deletes the links of an app that have expired, or whose key was revoked.
-- $1: app_id.
delete from afterpush.shares as s
where s.app_id = $1
  and (
      s.expires_at <= now()
      or exists (select from afterpush.api_keys as k where k.key_id = s.key_id and k.revoked_at is not null)
  )
