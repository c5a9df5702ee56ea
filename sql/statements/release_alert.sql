-- Gives an alert rule back without an evaluation. It stays due.
-- $1: app_id. $2: alert_name. $3: claim.
update afterpush.alert_rules
set claim = null,
    claimed_until = null
where app_id = $1
  and alert_name = $2
  and claim = $3
