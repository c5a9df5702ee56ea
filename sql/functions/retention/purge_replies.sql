-- Deletes replies whose retention period has passed, waiting ones too. Returns how many it deleted; fewer than max once
-- it is done.
--
-- decides: whether waiting texts that can be decided by now, for example because categories have changed, are first moved
-- or deleted (decide_waiting_texts). The first of several calls does it.
create or replace function afterpush.purge_replies(max integer, decides boolean default true) returns bigint
language plpgsql
as $$
declare
    purged bigint;
    purged_waiting bigint;
begin
    if decides then
        perform afterpush.decide_waiting_texts(array(select w.ctid from afterpush.waiting_replies as w));
    end if;
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
