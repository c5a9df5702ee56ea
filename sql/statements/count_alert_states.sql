-- How many states an app's alerts have.
-- $1: app_id.
select count(*)
from afterpush.alert_states
where app_id = $1
