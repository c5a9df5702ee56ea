-- Puts a device from a suppression file on the suppression list and requests its erasure.
-- $1: name of the app. $2: hash of the device. $3: key of the hash.
-- Returns whether it was missing from the list; null if there is no such app.
select afterpush.restore_suppression($1, $2, $3)
