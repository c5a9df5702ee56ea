-- Retires categories.
-- $1: app_id. $2: category_ids.
update afterpush.categories
set retired_at = now()
where app_id = $1
  and category_id = any ($2::text[])
