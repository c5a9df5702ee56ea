-- The newest version of each category, or the one in force at a time, including retired categories.
-- $1: app_id. $2: the time at which the version is in force, as in the view category_versions; null for the newest.
-- Returns a row per category; text_retention is in seconds, the time of declaration in microseconds since 1970.
--
-- Reads each version once: an app may have a thousand categories with a thousand versions each.
select distinct on (c.category_id)
    c.category_id, c.version, c.options, extract(epoch from c.text_retention)::bigint, c.retired_at is not null,
    c.min_app_version, c.intent_identifiers, (extract(epoch from c.created_at) * 1000000)::bigint
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
