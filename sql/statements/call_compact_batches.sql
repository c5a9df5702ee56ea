-- Combines old batches after batch $1, looking at $2 at most.
-- Returns the last batch that it looked at; null if no batch follows $1.
select afterpush.compact_batches($1, $2)
