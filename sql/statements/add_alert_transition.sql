-- Adds a change of an alert's state to the history.
-- $1: transition_id. $2: app_id. $3: alert_name. $4: series. $5: from_state. $6: to_state. $7: changed_at.
-- $8, $9, $10: value and its interval. $11: description.
insert into afterpush.alert_history
    (
        transition_id, app_id, alert_name, series, from_state, to_state, changed_at, value, value_low, value_high,
        description
    )
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
