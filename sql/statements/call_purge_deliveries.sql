-- Deletes deliveries of sealed hours in some blocks of the table.
-- $1: retention period of deliveries in seconds. $2: first block. $3: number of blocks.
-- Returns how many it deleted; null past the end of the table.
select afterpush.purge_deliveries(afterpush.retention_cutoff(make_interval(secs => $1)), $2, $3)
