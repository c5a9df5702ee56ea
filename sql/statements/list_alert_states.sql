-- States of an app's alerts, in order of alert_name and series.
-- $1: app_id. $2: only this alert_name; null for all.
-- Times are in microseconds since 1970.
select
    alert_name, series, state, (extract(epoch from since) * 1000000)::bigint,
    (extract(epoch from changing_since) * 1000000)::bigint, (extract(epoch from seen_at) * 1000000)::bigint,
    value, value_low, value_high, description
from afterpush.alert_states
where app_id = $1
  and ($2::text is null or alert_name = $2)
order by alert_name, series
