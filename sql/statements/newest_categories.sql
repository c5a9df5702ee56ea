-- The newest version of each category, including retired categories.
-- $1: app_id.
-- Returns a row per category; text_retention is in seconds.
select
    category_id, version, options, extract(epoch from text_retention)::bigint, retired_at is not null,
    min_app_version, intent_identifiers
from afterpush.categories as c
where app_id = $1
  and version = (
      select max(version)
      from afterpush.categories as newest
      where newest.app_id = c.app_id
        and newest.category_id = c.category_id
  )
order by category_id
