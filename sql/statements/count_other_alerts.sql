-- How many alert rules an app has put, besides the one with this name.
-- $1: app_id. $2: alert_name.
select count(*)
from afterpush.alert_rules
where app_id = $1
  and alert_name <> $2
  and not built_in
