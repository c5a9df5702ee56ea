-- Deletes replies whose retention period has passed, waiting ones too. Returns how many it deleted; fewer than max once
-- it is done.
create or replace function afterpush.purge_replies(max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
    purged_waiting bigint;
begin
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

-- Moves or deletes waiting texts that can be decided by now, for example because categories have changed
-- (decide_waiting_texts): at most max, in the order of their keys, after a key, which is null at first. Any number of texts
-- may wait. No merge or erasure runs meanwhile: an erasure would not find a text on its way from one table to the other.
--
-- Returns the key of the last of them; no row if no text is left.
create or replace function afterpush.decide_waiting_page(
    max integer, after_delivery uuid, after_event uuid, after_time timestamptz
)
returns table (delivery_id uuid, event_id uuid, device_time timestamptz)
language plpgsql
as $$
declare
    first_id constant uuid := '00000000-0000-0000-0000-000000000000';
    texts tid[];
    deliveries uuid[];
    events uuid[];
    times timestamptz[];
begin
    perform afterpush.lock_all_merges();
    select array_agg(w.stored_row), array_agg(w.delivery_id), array_agg(w.event_id), array_agg(w.device_time)
    into texts, deliveries, events, times
    from (
        select w.ctid as stored_row, w.delivery_id, w.event_id, w.device_time
        from afterpush.waiting_replies as w
        where (w.delivery_id, w.event_id, w.device_time) > (
            coalesce(after_delivery, first_id), coalesce(after_event, first_id), coalesce(after_time, '-infinity')
        )
        order by w.delivery_id, w.event_id, w.device_time
        limit max
    ) as w;
    if texts is null then
        return;
    end if;
    perform afterpush.decide_waiting_texts(texts);
    return query
    select deliveries[cardinality(texts)], events[cardinality(texts)], times[cardinality(texts)];
end
$$;
comment on function afterpush.decide_waiting_page is
    'Moves some waiting reply texts to where they belong, or deletes them, and returns the key of the last.';
