-- The actions of the newest version of each category, or of the one in force at a time.
-- $1: app_id. $2: the time at which the version is in force, as in the view category_versions; null for the newest.
-- Returns a row per action, in order of category and position.
--
-- Reads each version once, and the actions of those that are wanted (see newest_categories.sql).
select
    a.category_id, a.action_id, a.title, a.options, a.text_input, a.button_title, a.placeholder, a.goal, a.min_app_version
from (
    select distinct on (c.category_id) c.category_id, c.version
    from afterpush.categories as c
    cross join lateral (
        select case
            when c.version = 1 or $2::timestamptz is null then '-infinity'
            else date_trunc('hour', c.effective_from at time zone 'UTC') at time zone 'UTC'
        end
    ) as f (in_force_from)
    where c.app_id = $1
      and (f.in_force_from <= $2 or $2 is null)
    order by c.category_id, f.in_force_from desc, c.version desc
) as wanted
cross join lateral (
    select * from afterpush.actions as a
    where a.app_id = $1
      and a.category_id = wanted.category_id
      and a.version = wanted.version
    offset 0
) as a
order by a.category_id, a.position
