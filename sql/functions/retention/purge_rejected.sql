-- Deletes refused events that arrived before a time. Returns how many; fewer than max at the end.
create or replace function afterpush.purge_rejected(before timestamptz, max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
begin
    delete from afterpush.rejected_events
    where ctid = any (array(select ctid from afterpush.rejected_events where received_at < before limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;
comment on function afterpush.purge_rejected is 'Deletes refused events that arrived before a time.';
