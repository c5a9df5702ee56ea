-- Drops kept partitions that have no events any more.
-- Returns how many.
select afterpush.drop_empty_kept_partitions()
