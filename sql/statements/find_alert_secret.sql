-- The secret that signs the webhooks of an app.
-- $1: app_id.
select secret
from afterpush.alert_settings
where app_id = $1
