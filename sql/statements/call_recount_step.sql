-- Recounts conversions of some devices by the changed windows of app $1's campaigns, of about $2 deliveries.
-- Returns whether there is more to recount; null if another worker holds the lock, or a seal waits.
select afterpush.recount_step($1, $2)
