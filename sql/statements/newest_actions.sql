-- The actions of the newest version of each category.
-- $1: app_id.
-- Returns a row per action, in order of category and position.
select category_id, action_id, title, options, text_input, button_title, placeholder, goal, min_app_version
from afterpush.actions as a
where app_id = $1
  and version = (
      select max(version)
      from afterpush.categories as newest
      where newest.app_id = a.app_id
        and newest.category_id = a.category_id
  )
order by category_id, position
