-- Locks an alert rule that is about to be deleted, so that what is read of it next is not older than the lock.
-- $1: app_id. $2: alert_name.
select
from afterpush.alert_rules
where app_id = $1
  and alert_name = $2
for update
