-- App $1.
select app_id, name, created_at, receipt_policy
from afterpush.apps
where app_id = $1
