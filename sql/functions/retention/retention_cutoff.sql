-- The start of the oldest month that is not past, if events are kept for a time: what is before may go.
create or replace function afterpush.retention_cutoff(kept interval) returns timestamptz
language sql stable
return coalesce(date_trunc('month', (now() - kept) at time zone 'UTC') at time zone 'UTC', '-infinity');
comment on function afterpush.retention_cutoff is
    'The start of the oldest month that is still within a time; before everything for no limit.';
