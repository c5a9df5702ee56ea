-- Begins a step of retention in the present transaction.
-- $1: the collector's clock.
-- Returns the time that the step goes by.
select afterpush.begin_retention_step($1)
