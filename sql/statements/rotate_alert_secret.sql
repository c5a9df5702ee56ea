-- Replaces the secret that signs the webhooks of an app; messages that wait are signed with the new one.
-- $1: app_id.
update afterpush.alert_settings
set secret = sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
)
where app_id = $1
