-- Recounts conversions of an app's campaigns whose conversion window has changed, by their new window, in hours that are
-- not sealed. The rollups change by the difference, as in a merge.
--
-- app:    the app.
-- sealed: the start of the hours that are not sealed; -infinity if none is.
-- Returns whether there is more to recount.
--
-- A step recounts deliveries to devices with some numbers, of up to a thousand campaigns: as many devices as have about
-- 20,000 of the app's deliveries in the days of these campaigns. What is counted by which window is in campaigns
-- (function counted_window), so merges may run between steps. A window that is declared while another one is being
-- counted has its turn after it. Whoever calls this holds the lock of the rollup worker.
create or replace function afterpush.recount_conversions(app integer, sealed timestamptz) returns boolean
language plpgsql
as $$
declare
    starts timestamptz;
    ends timestamptz;
    deliveries bigint;
    max_deliveries constant bigint := 20000;
    devices constant bigint := 1048576;
    first_device integer;
    -- The number after the last; deliveries of erased devices, which have no number, come last.
    end_device integer;
    changed uuid[];
    -- So many deliveries fit into memory.
    chunk_size constant integer := 10000;
    chunks integer;
begin
    if not exists (select from afterpush.campaigns as c where c.app_id = app and c.next_window is not null) then
        update afterpush.campaigns as c
        set next_window = coalesce(c.conversion_window, c.response_window), recounted_below = 0
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
    select min(c.recounted_below), greatest(min(r.anchor_day), sealed), max(r.anchor_day) + interval '24 hours'
    into first_device, starts, ends
    from afterpush.campaigns as c
    left join afterpush.rollup_campaign_days as r
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
        devices + 1, first_device + greatest(1, devices * max_deliveries / greatest(deliveries, 1))
    );
    changed := afterpush.changed_conversions(app, starts, ends, first_device, end_device);
    chunks := (cardinality(changed) + chunk_size - 1) / chunk_size;
    for i in 0..chunks - 1 loop
        perform afterpush.add_conversions(
            afterpush.shapes_of(changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, -1)
        );
    end loop;
    if end_device > devices then
        update afterpush.campaigns as c
        set counted_window = c.next_window, next_window = null, recounted_below = 0
        where c.app_id = app
          and c.next_window is not null;
    else
        update afterpush.campaigns as c
        set recounted_below = end_device
        where c.app_id = app
          and c.next_window is not null;
    end if;
    for i in 0..chunks - 1 loop
        perform afterpush.add_conversions(
            afterpush.shapes_of(changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, 1)
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
    'Counts conversions anew of some devices and campaigns whose conversion window has changed.';

-- The deliveries to devices with some numbers that two conversion windows of their campaign count differently. If the
-- numbers end after the last, those to erased devices are among them.
create or replace function afterpush.changed_conversions(
    app integer, starts timestamptz, ends timestamptz, first_device integer, end_device integer
) returns uuid[]
language sql stable
-- recount_step turns these off.
set enable_seqscan = on
set enable_hashjoin = on
as $$
    select coalesce(array_agg(d.delivery_id), '{}')
    from (
        select * from afterpush.deliveries as d
        where d.app_id = app
          and d.device_number >= first_device
          and d.device_number < end_device
        union all
        select * from afterpush.deliveries as d
        where d.app_id = app
          and d.device_number is null
          and end_device > 1048576
    ) as d
    join afterpush.campaigns as c
        on c.app_id = d.app_id
        and c.campaign_id = d.campaign_id
        and c.next_window is not null
    where afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= starts
      and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < ends
      -- The earliest verified event is not before the earliest one.
      and d.converted_at - afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          <= greatest(c.counted_window, c.next_window)
      and greatest(d.converted_at, d.verified_converted_at)
          - afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          > least(c.counted_window, c.next_window)
$$;
comment on function afterpush.changed_conversions is
    'Deliveries to some devices that two conversion windows of their campaign count differently.';

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
-- Returns whether there is more to recount for the app; null if another worker is merging.
create or replace function afterpush.recount_step(app integer) returns boolean
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
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;
    return afterpush.recount_conversions(app, sealed);
end
$$;
comment on function afterpush.recount_step is
    'Counts conversions anew of some devices, under the lock of the rollup worker; returns whether there is more.';
