-- Erases a part of what is stored about a device. run_erasure_step calls it until it returns zeros.
--
-- app, device: the device. max: deliveries at most. A chunk also ends with the delivery that brings it to 5,000 events,
-- so that its transaction stays short.
-- Returns one row: numbers of events and replies deleted, and of deliveries made anonymous.
--
-- Deliveries come first. They stay, with a random delivery_id of the same device bucket, and without device and
-- notification, so no count changes, and their values stay with them. Their events are added to erased_event_counts,
-- which a rebuild of the rollups includes, and are subtracted from what the reports `health` and `undeclared` say of
-- events. Events about the device alone come last.
create or replace function afterpush.erase_device_chunk(app integer, device text, max integer)
returns table (events bigint, replies bigint, deliveries bigint)
language plpgsql
as $$
declare
    chunk uuid[];
    picked_ids uuid[];
    picked_times timestamptz[];
    sealed constant timestamptz := (select w.sealed_before from afterpush.rollup_worker as w);
    identity uuid := afterpush.device_identity(app, device);
begin
    select array_agg(delivery_id)
    into chunk
    from (
        select d.delivery_id, sum(d.events) over (order by d.delivery_id) - d.events as events_before
        from (
            select
                d.delivery_id,
                (
                    select count(*)
                    from (
                        select from afterpush.events as e where e.delivery_id = d.delivery_id limit 5000
                    ) as delivery_events
                ) as events
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_number = afterpush.device_number(device)
              and d.device_id = device
            order by d.delivery_id
            limit max
        ) as d
    ) as counted
    where events_before < 5000;
    if chunk is null then
        -- Events about the device alone belong to no delivery. Their only dimension in rollup_events is the platform.
        select coalesce(array_agg(p.event_id), '{}'), coalesce(array_agg(p.device_time), '{}')
        into picked_ids, picked_times
        from (
            select e.event_id, e.device_time from afterpush.events as e where e.delivery_id = identity limit 5000
        ) as p;
        perform afterpush.add_to_rollup_event_checks(
            afterpush.event_checks_of(array[identity], sealed, -1, picked_ids, picked_times)
        );
        perform afterpush.add_to_rollup_names(
            afterpush.name_counts_of(array[identity], sealed, -1, picked_ids, picked_times)
        );
        with deleted as (
            delete from afterpush.events as e
            using unnest(picked_ids, picked_times) as p (event_id, device_time)
            where e.delivery_id = identity
              and e.event_id = p.event_id
              and e.device_time = p.device_time
            returning e.occurred_at, e.platform, e.kind, e.verified
        ),
        preserved as (
            insert into afterpush.erased_event_counts as c
            select
                app, m.verified, afterpush.hour_of(x.occurred_at), '', '', '', coalesce(x.platform, ''), x.kind,
                count(*)
            from deleted as x
            join unnest(array[false, true]) as m (verified) on x.verified or not m.verified
            group by 1, 2, 3, 4, 5, 6, 7, 8
            on conflict (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind) do update set
                events = c.events + excluded.events
        )
        select count(*), 0, 0 into events, replies, deliveries from deleted;
        return next;
        return;
    end if;

    perform afterpush.preserve_event_counts(chunk);
    perform afterpush.add_to_rollup_event_checks(afterpush.event_checks_of(chunk, sealed, -1));
    perform afterpush.add_to_rollup_names(afterpush.name_counts_of(chunk, sealed, -1));
    with deleted as (
        delete from afterpush.replies where delivery_id = any (chunk) returning 1
    ),
    deleted_waiting as (
        delete from afterpush.waiting_replies where delivery_id = any (chunk) returning 1
    )
    select (select count(*) from deleted) + (select count(*) from deleted_waiting) into replies;
    with deleted as (
        delete from afterpush.events as e where e.delivery_id = any (chunk) returning 1
    )
    select count(*) into events from deleted;
    -- The values of a delivery keep its new id.
    with renamed as materialized (
        select id, afterpush.anonymous_delivery_id(id) as anonymous_id from unnest(chunk) as id
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
    delete from afterpush.late_deliveries where delivery_id = any (chunk);
    return next;
end
$$;
comment on function afterpush.erase_device_chunk is
    'Erases a part of what is stored about a device; returns how many events, replies and deliveries that were.';
