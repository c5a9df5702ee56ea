-- Forgets rows that the report no longer has.
-- $1: app_id. $2: alert_name. $3: series.
delete from afterpush.alert_states
where app_id = $1
  and alert_name = $2
  and series = any ($3::text[])
