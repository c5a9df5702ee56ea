-- Deletes an alert rule. The history says so of each of its alerts that was not ok.
-- $1: app_id. $2: alert_name.
with ended as (
    insert into afterpush.alert_history
        (
            app_id, alert_name, series, from_state, to_state, changed_at, value, value_low, value_high, description
        )
    select
        app_id, alert_name, series, state, 'ok', now(), value, value_low, value_high, 'the rule was deleted'
    from afterpush.alert_states
    where app_id = $1
      and alert_name = $2
      and state <> 'ok'
)
delete from afterpush.alert_rules
where app_id = $1
  and alert_name = $2
