-- Counts the retired receipt secrets of an app that still verify receipts.
-- $1: app_id.
select count(*)
from afterpush.receipt_secrets
where app_id = $1
  and retired_at > now()
