-- The retention cutoff: the start of the oldest month (UTC) that a retention period still reaches into. What is older
-- can be deleted. -infinity for a null period, which keeps everything.
create or replace function afterpush.retention_cutoff(period interval) returns timestamptz
language sql stable
return coalesce(date_trunc('month', (afterpush.retention_time() - period) at time zone 'UTC') at time zone 'UTC', '-infinity');
comment on function afterpush.retention_cutoff is
    'Returns the start of the oldest month within a retention period; -infinity if the period is null.';
