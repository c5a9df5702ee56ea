-- Sets the state of one row of the report that an alert rule watches.
-- $1: app_id. $2: alert_name. $3: series. $4: state. $5: since. $6: changing_since. $7: seen_at. $8, $9, $10: value and
-- its interval. $11: description.
insert into afterpush.alert_states
    (
        app_id, alert_name, series, state, since, changing_since, seen_at, value, value_low, value_high, description
    )
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (app_id, alert_name, series) do update set
    state = excluded.state,
    since = excluded.since,
    changing_since = excluded.changing_since,
    seen_at = excluded.seen_at,
    value = excluded.value,
    value_low = excluded.value_low,
    value_high = excluded.value_high,
    description = excluded.description
