-- Deletes replies whose retention period has passed, at most $1.
-- Returns how many it deleted.
select afterpush.purge_replies($1)
