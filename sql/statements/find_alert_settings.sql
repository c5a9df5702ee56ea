-- Where the alerts of an app go, and how often it gets a summary.
-- $1: app_id.
select destinations::text, summary
from afterpush.alert_settings
where app_id = $1
