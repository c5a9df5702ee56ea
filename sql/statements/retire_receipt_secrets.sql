-- Retires the current receipt secret of an app. With $2 = 0, older secrets that still verify receipts end too.
-- $1: app_id. $2: seconds for which the secret still verifies receipts.
update afterpush.receipt_secrets
set retired_at = now() + make_interval(secs => $2)
where app_id = $1
  and (retired_at is null or $2 = 0 and retired_at > now())
