-- Sets whether an app requires receipts.
-- $1: app_id. $2: required or optional.
update afterpush.apps
set receipt_policy = $2
where app_id = $1
