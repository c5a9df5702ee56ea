-- Puts a device on the suppression list and requests its erasure.
-- $1: app_id. $2: device_id.
select afterpush.request_erasure($1, $2)
