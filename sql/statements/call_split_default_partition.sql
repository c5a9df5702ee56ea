-- Takes a step to create monthly partitions that ensure_partitions left out.
-- $1: a time in the middle month; null for the present one. $2, $3: how many months before and after it.
-- Returns how many it created, 0 if there is more to do; null if none is missing.
select afterpush.split_default_partition(coalesce($1, now()), $2, $3)
