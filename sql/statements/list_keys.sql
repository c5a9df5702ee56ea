-- API keys, oldest first, including revoked ones.
-- $1: app_id; null for the keys of all apps.
select k.key_id, a.name, k.scope, k.hint, k.created_at, k.revoked_at
from afterpush.api_keys as k
join afterpush.apps as a using (app_id)
where $1::integer is null
   or a.app_id = $1
order by k.key_id
