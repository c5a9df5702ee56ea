-- Merges the oldest waiting batches, about $1 events, into deliveries and rollups.
-- Returns how many events it merged: 0 when none waits, null when another worker is at it.
select afterpush.roll_up($1)
