-- The links that share a view and have not ended, oldest first.
-- $1: app_id; null for all apps.
-- Returns share_id, name of the app, key_id, name, view, and when it was created and expires, in microseconds since 1970.
select
    s.share_id,
    a.name,
    s.key_id,
    s.name,
    s.view,
    (extract(epoch from s.created_at) * 1000000)::bigint,
    (extract(epoch from s.expires_at) * 1000000)::bigint
from afterpush.shares as s
join afterpush.apps as a using (app_id)
left join afterpush.api_keys as k on k.key_id = s.key_id
where s.app_id = coalesce($1, s.app_id)
  and s.expires_at > now()
  and k.revoked_at is null
order by s.share_id
