-- Deletes replies whose retention period has passed, at most $1.
-- $2: whether waiting texts are decided first; true in the first of several calls.
-- Returns how many it deleted.
select afterpush.purge_replies($1, $2)
