-- Ends the evaluation of an alert rule, unless another collector took over, or the rule was put or deleted meanwhile.
-- $1: app_id. $2: alert_name. $3: claim. $4: seconds until the next evaluation. $5: why it failed; null if it did not.
update afterpush.alert_rules
set claim = null,
    claimed_until = null,
    evaluated_at = now(),
    next_evaluation_at = now() + make_interval(secs => $4),
    problem = $5
where app_id = $1
  and alert_name = $2
  and claim = $3
