-- Drops the oldest sealed month of events.
-- Returns the name of the dropped partition; null if no partition has expired.
select afterpush.drop_expired_partition()
