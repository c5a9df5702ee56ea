-- Deletes replies whose retention period has passed, waiting ones too. Returns how many it deleted; fewer than max once
-- it is done. Waiting texts that can be decided by now, for example because categories have changed, are first moved or
-- deleted (decide_replies).
create or replace function afterpush.purge_replies(max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
    purged_waiting bigint;
begin
    perform afterpush.decide_replies(null);
    delete from afterpush.replies where ctid = any (array(select stored_row from afterpush.expired_replies limit max));
    get diagnostics purged = row_count;
    delete from afterpush.waiting_replies
    where ctid = any (array(select stored_row from afterpush.expired_waiting_replies limit max - purged));
    get diagnostics purged_waiting = row_count;
    return purged + purged_waiting;
end
$$;
comment on function afterpush.purge_replies is
    'Deletes replies whose retention period has passed; returns how many.';
