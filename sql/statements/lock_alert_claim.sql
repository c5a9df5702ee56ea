-- Locks an alert rule at the end of its evaluation. Without a row, another collector took over, or the rule was put or
-- deleted meanwhile: then nothing of this evaluation may be kept.
-- $1: app_id. $2: alert_name. $3: claim.
select true
from afterpush.alert_rules
where app_id = $1
  and alert_name = $2
  and claim = $3
for no key update
