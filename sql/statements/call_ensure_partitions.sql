-- Creates missing monthly partitions of events.
-- $1: a time in the middle month; null for the present one. $2, $3: how many months before and after it.
-- Returns how many it created.
select afterpush.ensure_partitions(coalesce($1, now()), $2, $3)
