-- The newest version of each category, or the one in force at a time, including retired categories.
-- $1: app_id. $2: the time at which the version is in force, as in the view category_versions; null for the newest.
-- Returns a row per category; text_retention is in seconds, the time of declaration in microseconds since 1970.
select
    category_id, version, options, extract(epoch from text_retention)::bigint, retired_at is not null,
    min_app_version, intent_identifiers, (extract(epoch from created_at) * 1000000)::bigint
from afterpush.categories as c
where app_id = $1
  and version = (
      select v.version
      from afterpush.categories as v
      cross join lateral (
          select case
              when v.version = 1 or $2::timestamptz is null then '-infinity'
              else date_trunc('hour', v.effective_from at time zone 'UTC') at time zone 'UTC'
          end
      ) as f (in_force_from)
      where v.app_id = c.app_id
        and v.category_id = c.category_id
        and (f.in_force_from <= $2 or $2 is null)
      order by f.in_force_from desc, v.version desc
      limit 1
  )
order by category_id
