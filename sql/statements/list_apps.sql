-- All apps, in order of name.
select app_id, name, created_at, receipt_policy
from afterpush.apps
order by name
