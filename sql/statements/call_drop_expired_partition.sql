-- Drops the oldest sealed month of events.
-- Returns the name of the partition; null if there is none.
select afterpush.drop_expired_partition()
