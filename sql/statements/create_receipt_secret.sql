-- Creates the current receipt secret of an app, which must have none.
-- $1: app_id.
-- Returns the 32 bytes of the secret.
insert into afterpush.receipt_secrets (app_id)
values ($1)
returning secret
