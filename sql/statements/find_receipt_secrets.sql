-- The secrets that receipts of app $1 verify with, the one to sign with first.
-- A new secret signs after ten seconds, when every collector knows it, unless there is no other.
select secret
from afterpush.receipt_secrets
where app_id = $1
  and (retired_at is null or retired_at > now())
order by created_at <= now() - interval '10 seconds' desc, created_at desc, secret_id desc
