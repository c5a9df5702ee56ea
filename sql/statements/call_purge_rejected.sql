-- Deletes rejected events whose retention period has passed, at most $1.
-- $2: the period in seconds.
-- Returns how many it deleted.
select afterpush.purge_rejected(afterpush.retention_time() - make_interval(secs => $2), $1)
