-- The token that opens the rows of an app to role afterpush_report.
-- $1: app_id.
select report_token::text
from afterpush.apps
where app_id = $1
