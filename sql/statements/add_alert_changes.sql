-- Adds changes of alerts' states to the history.
-- $1: app_id. $2: alert_name. $3: when they changed. $4: transition_ids. $5: series. $6, $7: states before and after.
-- $8, $9, $10: values and their intervals. $11: descriptions. $12: numbers of messages for which there is no room.
insert into afterpush.alert_history
    (
        app_id, alert_name, changed_at, transition_id, series, from_state, to_state, value, value_low, value_high,
        description, refused
    )
select $1, $2, $3, c.*
from unnest(
    $4::uuid[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::float8[], $10::float8[], $11::text[],
    $12::integer[]
) as c
