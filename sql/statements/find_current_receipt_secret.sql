-- The receipt secret that an app signs with; no row if it has none.
-- $1: app_id.
select secret
from afterpush.receipt_secrets
where app_id = $1
  and retired_at is null
