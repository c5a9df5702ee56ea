-- Creates an app and its receipt secret.
-- $1: name.
-- Returns app_id, name, created_at and receipt_policy; no row if an app has this name already.
with created as (
    insert into afterpush.apps (name)
    values ($1)
    on conflict (name) do nothing
    returning app_id, name, created_at, receipt_policy
),
secret as (
    insert into afterpush.receipt_secrets (app_id)
    select app_id from created
)
select app_id, name, created_at, receipt_policy
from created
