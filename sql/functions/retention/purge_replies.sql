-- Deletes replies whose retention period has passed. Returns how many it deleted; fewer than max once it is done.
create or replace function afterpush.purge_replies(max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
begin
    delete from afterpush.replies where ctid = any (array(select stored_row from afterpush.expired_replies limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;
comment on function afterpush.purge_replies is
    'Deletes replies whose retention period has passed; returns how many.';
