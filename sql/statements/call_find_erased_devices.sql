-- Finds the devices of erasure jobs that have only a hash; reads everything that is stored, which may take minutes.
-- $1, $2: the jobs: app_id and device_hash. $3, $4: texts of rejected events that can be a device of theirs: app_id, text.
select afterpush.find_erased_devices($1, $2, $3, $4)
