-- API keys, oldest first: all valid ones, and of each app the thousand that were revoked last.
-- $1: app_id; null for the keys of all apps.
select k.key_id, a.name, k.scope, k.hint, k.created_at, k.revoked_at
from (
    select
        k.*,
        row_number() over (
            partition by k.app_id, k.revoked_at is null
            order by k.revoked_at desc, k.key_id desc
        ) as place
    from afterpush.api_keys as k
    where $1::integer is null
       or k.app_id = $1
) as k
join afterpush.apps as a using (app_id)
where k.revoked_at is null
   or k.place <= 1000
order by k.key_id
