-- As before, but a step ends after the delivery in which it has come to 5000 events, and takes no more of the device alone.
create or replace function afterpush.erase_device_chunk(app integer, device text, max integer)
returns table (events bigint, replies bigint, deliveries bigint)
language plpgsql
as $$
declare
    taken uuid[];
    alone uuid := afterpush.device_identity(app, device);
begin
    select array_agg(delivery_id)
    into taken
    from (
        select d.delivery_id, sum(d.events) over (order by d.delivery_id) - d.events as events_before
        from (
            select
                d.delivery_id,
                (select count(*) from (select from afterpush.events as e where e.delivery_id = d.delivery_id limit 5000) as few)
                as events
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_id = device
            order by d.delivery_id
            limit max
        ) as d
    ) as slice
    where events_before < 5000;
    if taken is null then
        -- Of the device alone: they have no delivery, and no dimension but a platform.
        with gone as (
            delete from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) in (
                select s.delivery_id, s.event_id, s.device_time
                from afterpush.events as s
                where s.delivery_id = alone
                limit 5000
            )
            returning e.occurred_at, e.platform, e.kind, e.verified
        ),
        kept as (
            insert into afterpush.erased_event_counts as k
            select
                app, afterpush.hour_of(g.occurred_at), '', '', '', coalesce(g.platform, ''), g.kind,
                count(*), count(*) filter (where g.verified)
            from gone as g
            group by 1, 2, 3, 4, 5, 6, 7
            on conflict (app_id, event_hour, campaign_id, variant, category_id, platform, kind) do update set
                events = k.events + excluded.events,
                verified_events = k.verified_events + excluded.verified_events
        )
        select count(*), 0, 0 into events, replies, deliveries from gone;
        return next;
        return;
    end if;

    perform afterpush.preserve_event_counts(taken);
    with gone as (
        delete from afterpush.replies where delivery_id = any (taken) returning 1
    )
    select count(*) into replies from gone;
    with gone as (
        delete from afterpush.events as e where e.delivery_id = any (taken) returning 1
    )
    select count(*) into events from gone;
    with changed as (
        update afterpush.deliveries as d
        set delivery_id = gen_random_uuid(),
            device_id = null,
            notification_id = null
        where d.delivery_id = any (taken)
        returning 1
    )
    select count(*) into deliveries from changed;
    delete from afterpush.late_deliveries where delivery_id = any (taken);
    return next;
end
$$;
comment on function afterpush.erase_device_chunk is 'Deletes some of what is stored of a device.';
