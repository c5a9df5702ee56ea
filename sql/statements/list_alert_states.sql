-- States of an app's alerts, in order of alert_name and series, up to a number: those that fire come before those that are
-- pending, and these before the others. Rules take turns, so that one with many rows leaves room to the others.
-- $1: app_id. $2: only this alert_name; null for all. $3: the number.
-- Times are in microseconds since 1970.
select
    alert_name, series, state, (extract(epoch from since) * 1000000)::bigint,
    (extract(epoch from changing_since) * 1000000)::bigint, (extract(epoch from seen_at) * 1000000)::bigint,
    value, value_low, value_high, description
from (
    select s.*, row_number() over (partition by alert_name, state order by series) as place
    from afterpush.alert_states as s
    where app_id = $1
      and ($2::text is null or alert_name = $2)
    order by array_position(array['firing', 'pending', 'ok'], state), place, alert_name
    limit $3
) as shown
order by alert_name, series
