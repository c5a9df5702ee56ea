-- Recounts conversions of an app's campaigns whose conversion window has changed, by their new window, in hours that are
-- not sealed. The rollups change by the difference, as in a merge.
--
-- app:            the app.
-- sealed:         the start of the hours that are not sealed; -infinity if none is.
-- max_deliveries: how many deliveries a step reads.
-- Returns whether there is more to recount; null if a recount may not begin now.
--
-- A step recounts some deliveries of up to a thousand campaigns: those of the next ones of the app, in the order of the
-- numbers of their devices and their ids, that are in the days of these campaigns. It ends at about the device up to
-- which that many are in these days, or when it has read that many of all. Which are counted by which window is in
-- campaigns (function window_of_delivery), so merges may run between steps. A window that is declared while another one
-- is being counted has its turn after it. Whoever calls this holds the lock of the app (lock_merges_of).
create or replace function afterpush.recount_conversions(
    app integer, sealed timestamptz, max_deliveries integer default 20000
) returns boolean
language plpgsql
as $$
declare
    starts timestamptz;
    ends timestamptz;
    deliveries bigint;
    devices constant bigint := 1048576;
    -- The last delivery that is recounted.
    recounted record;
    -- The last number of a device in this step; deliveries of erased devices, which have no number, come last.
    end_device integer;
    step record;
    -- So many deliveries fit into memory.
    chunk_size constant integer := 10000;
    chunks integer;
begin
    if not exists (select from afterpush.campaigns as c where c.app_id = app and c.next_window is not null) then
        if not afterpush.may_begin_recounts() then
            return null;
        end if;
        update afterpush.campaigns as c
        set next_window = coalesce(c.conversion_window, c.response_window), recounted_device = default,
            recounted_delivery = default
        where c.app_id = app
          and c.campaign_id = any (array(
              select w.campaign_id
              from afterpush.campaigns as w
              where w.app_id = app
                and w.counted_window <> coalesce(w.conversion_window, w.response_window)
              order by w.campaign_id
              limit 1000
          ));
        if not found then
            return false;
        end if;
    end if;
    select c.recounted_device as device, c.recounted_delivery as delivery
    into recounted
    from afterpush.campaigns as c
    where c.app_id = app
      and c.next_window is not null
    limit 1;
    select greatest(min(r.anchor_day), sealed), max(r.anchor_day) + interval '24 hours'
    into starts, ends
    from afterpush.campaigns as c
    join afterpush.rollup_campaign_days as r
        on r.app_id = c.app_id
        and r.campaign_id = c.campaign_id
        and not r.verified
    where c.app_id = app
      and c.next_window is not null;
    -- Campaigns without deliveries have no days.
    select coalesce(sum(r.deliveries), 0)
    into deliveries
    from afterpush.rollup_campaign_days as r
    where r.app_id = app
      and not r.verified
      and r.anchor_day >= afterpush.day_of(starts)
      and r.anchor_day < ends;
    end_device := least(
        devices, recounted.device + greatest(1, devices * max_deliveries / greatest(deliveries, 1))
    );
    step := afterpush.changed_conversions(
        app, starts, ends, recounted.device, recounted.delivery, end_device, max_deliveries
    );
    chunks := (cardinality(step.changed) + chunk_size - 1) / chunk_size;
    for i in 0..chunks - 1 loop
        perform afterpush.add_conversions(
            afterpush.shapes_of(step.changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, -1)
        );
    end loop;
    if end_device = devices and step.last_delivery is null then
        update afterpush.campaigns as c
        set counted_window = c.next_window, next_window = null
        where c.app_id = app
          and c.next_window is not null;
    else
        update afterpush.campaigns as c
        set recounted_device = coalesce(step.last_device, end_device),
            recounted_delivery = coalesce(step.last_delivery, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        where c.app_id = app
          and c.next_window is not null;
    end if;
    for i in 0..chunks - 1 loop
        perform afterpush.add_conversions(
            afterpush.shapes_of(step.changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, 1)
        );
    end loop;
    return exists (
        select
        from afterpush.campaigns as c
        where c.app_id = app
          and (c.next_window is not null or c.counted_window <> coalesce(c.conversion_window, c.response_window))
    );
end
$$;
comment on function afterpush.recount_conversions is
    'Recounts conversions of some devices and campaigns whose conversion window has changed.';

-- The deliveries that two conversion windows of their campaign count differently, among the next ones of an app after one,
-- in the order of the numbers of their devices, up to the number `end_device`, and of their ids.
--
-- starts, ends:   the time in which the anchor of the differing ones is; null if the campaigns have no deliveries.
-- max_deliveries: how many deliveries to read, those outside this time included.
-- Returns the differing ones, and, if it has read max_deliveries, the last of them.
create or replace function afterpush.changed_conversions(
    app integer, starts timestamptz, ends timestamptz, after_device integer, after_delivery uuid, end_device integer,
    max_deliveries bigint, out changed uuid[], out last_device integer, out last_delivery uuid
)
language plpgsql stable
-- The index deliveries_device_number has the next deliveries in order, so that the limit ends a scan of it. A bitmap
-- would have all of the device's deliveries first, and a plan for any arguments could not use the range.
set enable_bitmapscan = off
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
-- recount_step turns this off.
set enable_hashjoin = on
as $$
begin
    with of_devices as materialized (
        select d.*
        from afterpush.deliveries as d
        where d.app_id = app
          and starts < ends
          and (d.device_number, d.delivery_id) > (after_device, after_delivery)
          and d.device_number <= end_device
        order by d.device_number, d.delivery_id
        limit max_deliveries
    ),
    -- Deliveries of erased devices, which have no number, come last.
    of_erased_devices as materialized (
        select d.*
        from afterpush.deliveries as d
        where d.app_id = app
          and starts < ends
          and d.device_number is null
          and (after_device < 1048576 or d.delivery_id > after_delivery)
          and end_device = 1048576
        order by d.device_number, d.delivery_id
        limit (select max_deliveries - count(*) from of_devices)
    ),
    next as (
        select
            coalesce(d.device_number, 1048576) as device, d.delivery_id, d.campaign_id, d.converted_at,
            d.verified_converted_at,
            afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_at
        from (
            select * from of_devices
            union all
            select * from of_erased_devices
        ) as d
    )
    select
        coalesce(
            array_agg(n.delivery_id) filter (
                where n.anchor_at >= starts
                  and n.anchor_at < ends
                  -- The earliest verified event is not before the earliest one.
                  and n.converted_at - n.anchor_at <= greatest(c.counted_window, c.next_window)
                  and greatest(n.converted_at, n.verified_converted_at) - n.anchor_at
                      > least(c.counted_window, c.next_window)
            ),
            '{}'
        ),
        case when count(*) = max_deliveries then (array_agg(n.device order by n.device desc, n.delivery_id desc))[1] end,
        case
            when count(*) = max_deliveries then (array_agg(n.delivery_id order by n.device desc, n.delivery_id desc))[1]
        end
    into changed, last_device, last_delivery
    from next as n
    left join afterpush.campaigns as c
        on c.app_id = app
        and c.campaign_id = n.campaign_id
        and c.next_window is not null;
end
$$;
comment on function afterpush.changed_conversions is
    'Which of the next deliveries two conversion windows of their campaign count differently.';

-- Adds a change of the conversions of deliveries to the rollups that have any.
create or replace function afterpush.add_conversions(shapes afterpush.delivery_shape[]) returns void
language plpgsql
as $$
begin
    perform afterpush.add_deliveries(shapes);
    perform afterpush.add_device_changes(shapes);
end
$$;
comment on function afterpush.add_conversions is
    'Adds a change of the conversions of deliveries to the rollups that have any.';

-- Takes a step of recount_conversions in a transaction of its own. The rollup worker calls it between merges.
--
-- max_deliveries: how many deliveries the step reads.
-- Returns whether there is more to recount for the app; null if its batches are being merged.
create or replace function afterpush.recount_step(app integer, max_deliveries integer default 20000) returns boolean
language plpgsql
-- As in roll_up.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
set jit = off
set work_mem = '64MB'
set hash_mem_multiplier = 32
as $$
declare
    sealed timestamptz;
begin
    if afterpush.lock_merges_of(app) is null then
        return null;
    end if;
    select sealed_before into sealed from afterpush.rollup_worker;
    return afterpush.recount_conversions(app, sealed, max_deliveries);
end
$$;
comment on function afterpush.recount_step is
    'Recounts conversions of some devices, under the lock of the app; returns whether there is more.';

-- Whether recounts may begin. While a seal waits for recounts, and for a minute after a run of retention that was ended, only
-- in the first half minute: otherwise it might wait without an end (advance_seal).
create or replace function afterpush.may_begin_recounts() returns boolean
language sql stable
return (
    select
        recounts_awaited_at < now() - interval '1 minute'
        or recounts_awaited_since > now() - interval '30 seconds'
    from afterpush.retention_state
);
comment on function afterpush.may_begin_recounts is 'Returns whether conversions may begin to be counted by other windows.';
