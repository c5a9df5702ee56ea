-- Deletes events of sealed hours from the default partition, at most $1.
-- Returns how many it deleted.
select afterpush.purge_default_events($1)
