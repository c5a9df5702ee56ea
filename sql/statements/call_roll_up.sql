-- Merges the oldest waiting batches, about $1 events, into deliveries and rollups: those of app $2, or if it is null, those
-- of all apps that are not merged apart; of the slices $3, or if it is null, of all.
-- Returns the number of events merged; 0 if no batch waits, null if another worker holds the lock.
select afterpush.roll_up($1, $2, $3)
