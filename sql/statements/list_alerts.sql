-- Alert rules of an app, in order of alert_name.
-- $1: app_id. $2: only this alert_name; null for all.
-- Times are in microseconds since 1970.
select
    alert_name, built_in, enabled, definition::text, destinations::text,
    (extract(epoch from evaluated_at) * 1000000)::bigint, problem
from afterpush.alert_rules
where app_id = $1
  and ($2::text is null or alert_name = $2)
order by alert_name
