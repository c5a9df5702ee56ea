-- Retires a category, or brings a retired one back.
-- $1: app_id. $2: category_id. $3: whether it is retired.
update afterpush.categories
set retired_at = case when $3 then now() end
where app_id = $1
  and category_id = $2
