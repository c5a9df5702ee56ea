-- The receipt secrets of an app, first the one that signs new receipts.
-- $1: app_id.
-- Returns a row per secret that still verifies receipts. A new secret signs only after ten seconds, when every
-- collector has loaded it, unless it is the only one.
select secret
from afterpush.receipt_secrets
where app_id = $1
  and (retired_at is null or retired_at > now())
order by created_at <= now() - interval '10 seconds' desc, created_at desc, secret_id desc
