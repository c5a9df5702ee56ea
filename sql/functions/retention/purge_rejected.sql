-- Deletes rejected events that arrived before a time. Returns how many it deleted; fewer than max once it is done.
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
comment on function afterpush.purge_rejected is 'Deletes rejected events that arrived before a time; returns how many.';
