-- What an app has set for dialects.
-- $1: app_id.
-- Returns a row with the settings as text; no row if the app has none.
select settings::text
from afterpush.dialect_settings
where app_id = $1
