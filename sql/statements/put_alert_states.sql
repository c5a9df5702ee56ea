-- Sets the states of rows of the report that an alert rule watches.
-- $1: app_id. $2: alert_name. $3: series. $4: states. $5: since. $6: changing_since. $7: seen_at. $8, $9, $10: values and
-- their intervals. $11: descriptions.
insert into afterpush.alert_states
    (
        app_id, alert_name, series, state, since, changing_since, seen_at, value, value_low, value_high, description
    )
select $1, $2, s.*
from unnest(
    $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::float8[], $9::float8[],
    $10::float8[], $11::text[]
) as s
on conflict (app_id, alert_name, series) do update set
    state = excluded.state,
    since = excluded.since,
    changing_since = excluded.changing_since,
    seen_at = excluded.seen_at,
    value = excluded.value,
    value_low = excluded.value_low,
    value_high = excluded.value_high,
    description = excluded.description
