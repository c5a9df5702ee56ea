-- Deletes expired events that are not needed from a part of a kept partition.
-- Returns how many it deleted; null if nothing is left to do.
select afterpush.trim_kept_partition()
