-- The actions of some category versions.
-- $1: app_id. $2: category_ids. $3: the version of each.
-- Returns a row per action, in order of category and position.
select
    a.category_id, a.action_id, a.title, a.options, a.text_input, a.button_title, a.placeholder, a.goal, a.min_app_version
from unnest($2::text[], $3::integer[]) as v (category_id, version)
cross join lateral (
    select * from afterpush.actions as a
    where a.app_id = $1
      and a.category_id = v.category_id
      and a.version = v.version
    -- Found by the index for each version, because an app may have many others.
    offset 0
) as a
order by a.category_id, a.position
