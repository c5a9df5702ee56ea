-- Erases a part of what is stored about a device. run_erasure_step calls it until it returns zeros.
--
-- app, device: the device. max: deliveries at most. max_rows: events and replies at most, so that the transaction stays
-- short. partial: the delivery of which the chunk before left a part; null if it left none.
-- Returns one row: numbers of events and replies deleted, and of deliveries made anonymous; and the delivery of which a
-- part is left.
--
-- Deliveries come first. They stay, with a random delivery_id of the same device bucket, and without device and
-- notification, so no count changes, and their values stay with them. One of which a part is left keeps its delivery_id
-- until the last part is deleted, because its events have its dimensions, but is without a device from the first part on:
-- so reports, rollup_verify and rollup_rebuild treat it as erased. Events about the device alone come last.
--
-- Events are added to erased_event_counts, which a rebuild of the rollups includes, and are subtracted from what the
-- reports `health` and `undeclared` say of events.
create or replace function afterpush.erase_device_chunk(
    app integer, device text, max integer, max_rows integer default 5000, partial uuid default null
)
returns table (events bigint, replies bigint, deliveries bigint, left_delivery uuid)
language plpgsql
-- A delivery can have millions of events. What is picked is looked up row by row, and never found by reading them all.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set max_parallel_workers_per_gather = 0
set jit = off
as $$
declare
    identity constant uuid := afterpush.device_identity(app, device);
    sealed constant timestamptz := (select w.sealed_before from afterpush.rollup_worker as w);
    targets uuid[];
    target uuid;
    -- The targets of which nothing is left after this chunk.
    emptied uuid[] := '{}';
    -- How many rows may still be picked.
    room integer := max_rows;
    deleted bigint;
    -- The events of the target that are picked, and the keys of all picked events.
    target_ids uuid[];
    target_times timestamptz[];
    picked_deliveries uuid[] := '{}';
    picked_ids uuid[] := '{}';
    picked_times timestamptz[] := '{}';
begin
    replies := 0;
    targets := case
        when partial is not null then array[partial]
        else array(
            select d.delivery_id
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_number = afterpush.device_number(device)
              and d.device_id = device
            limit max
        )
    end;
    if cardinality(targets) = 0 then
        targets := array[identity];
    end if;

    foreach target in array targets loop
        delete from afterpush.replies as r
        where (r.delivery_id, r.event_id, r.device_time) in (
            select p.delivery_id, p.event_id, p.device_time
            from afterpush.replies as p
            where p.delivery_id = target
            limit room
        );
        get diagnostics deleted = row_count;
        replies := replies + deleted;
        room := room - deleted;
        delete from afterpush.waiting_replies as r
        where (r.delivery_id, r.event_id, r.device_time) in (
            select p.delivery_id, p.event_id, p.device_time
            from afterpush.waiting_replies as p
            where p.delivery_id = target
            limit room
        );
        get diagnostics deleted = row_count;
        replies := replies + deleted;
        room := room - deleted;
        select coalesce(array_agg(p.event_id), '{}'), coalesce(array_agg(p.device_time), '{}')
        into target_ids, target_times
        from (
            select e.event_id, e.device_time from afterpush.events as e where e.delivery_id = target limit room
        ) as p;
        picked_deliveries := picked_deliveries || array_fill(target, array[cardinality(target_ids)]);
        picked_ids := picked_ids || target_ids;
        picked_times := picked_times || target_times;
        room := room - cardinality(target_ids);
        if room = 0 then
            left_delivery := nullif(target, identity);
            exit;
        end if;
        emptied := emptied || target;
    end loop;

    perform afterpush.preserve_event_counts(picked_deliveries, picked_ids, picked_times);
    perform afterpush.add_to_rollup_event_checks(
        afterpush.event_checks_of(picked_deliveries, sealed, -1, picked_ids, picked_times)
    );
    perform afterpush.add_to_rollup_names(
        afterpush.name_counts_of(picked_deliveries, sealed, -1, picked_ids, picked_times)
    );
    delete from afterpush.events as e
    using unnest(picked_deliveries, picked_ids, picked_times) as p (delivery_id, event_id, device_time)
    where (e.delivery_id, e.event_id, e.device_time) = (p.delivery_id, p.event_id, p.device_time);
    get diagnostics events = row_count;

    update afterpush.deliveries as d
    set device_id = null, device_number = null, notification_id = null
    where d.delivery_id = left_delivery
      and d.device_id is not null;
    -- The values of a delivery keep its new id.
    with renamed as materialized (
        select id, afterpush.anonymous_delivery_id(id) as anonymous_id from unnest(emptied) as id
    ),
    anonymised as (
        update afterpush.deliveries as d
        set delivery_id = r.anonymous_id,
            device_id = null,
            device_number = null,
            notification_id = null
        from renamed as r
        where d.delivery_id = r.id
        returning 1
    ),
    revalued as (
        update afterpush.delivery_values as v
        set delivery_id = r.anonymous_id
        from renamed as r
        where v.delivery_id = r.id
    )
    select count(*) into deliveries from anonymised;
    delete from afterpush.late_deliveries where delivery_id = any (emptied);
    return next;
end
$$;
comment on function afterpush.erase_device_chunk is
    'Erases a part of what is stored about a device; returns how many events, replies and deliveries that were.';
