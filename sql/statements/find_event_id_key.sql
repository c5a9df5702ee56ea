-- The key of an app's event ids that are derived from content.
-- $1: app_id.
select event_id_key
from afterpush.apps
where app_id = $1
