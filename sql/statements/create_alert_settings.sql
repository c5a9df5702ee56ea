-- Makes sure that an app has settings of its alerts, with a secret that signs webhooks.
-- $1: app_id.
insert into afterpush.alert_settings (app_id)
values ($1)
on conflict do nothing
