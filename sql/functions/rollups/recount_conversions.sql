-- Recounts the conversions of campaigns whose conversion window has changed, by their new window, in hours that are
-- not sealed. The rollups change by the difference, as in a merge.
--
-- sealed: the start of the hours that are not sealed; -infinity if none is.
--
-- A campaign counts by counted_window until this is done, so each delivery leaves the rollups as it was counted.
-- Whoever calls this holds the lock of the rollup worker.
create or replace function afterpush.recount_conversions(sealed timestamptz) returns void
language plpgsql
as $$
declare
    campaign record;
    changed uuid[];
    -- About 10,000 deliveries at a time fit into memory.
    chunk_size constant integer := 10000;
    chunks integer;
begin
    for campaign in
        select
            c.app_id, c.campaign_id, c.counted_window as old_window,
            coalesce(c.conversion_window, c.response_window) as new_window
        from afterpush.campaigns as c
        where c.counted_window <> coalesce(c.conversion_window, c.response_window)
        order by c.app_id, c.campaign_id
    loop
        changed := afterpush.changed_conversions(
            campaign.app_id, campaign.campaign_id, campaign.old_window, campaign.new_window, sealed
        );
        chunks := (cardinality(changed) + chunk_size - 1) / chunk_size;
        for i in 0..chunks - 1 loop
            perform afterpush.add_conversions(
                afterpush.shapes_of(changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, -1)
            );
        end loop;
        update afterpush.campaigns as c
        set counted_window = campaign.new_window
        where c.app_id = campaign.app_id
          and c.campaign_id = campaign.campaign_id;
        for i in 0..chunks - 1 loop
            perform afterpush.add_conversions(
                afterpush.shapes_of(changed[i * chunk_size + 1:(i + 1) * chunk_size], sealed, 1)
            );
        end loop;
    end loop;
end
$$;
comment on function afterpush.recount_conversions is
    'Counts the conversions of campaigns anew whose conversion window has changed.';

-- The deliveries of a campaign that two conversion windows count differently.
create or replace function afterpush.changed_conversions(
    app integer, campaign text, old_window interval, new_window interval, sealed timestamptz
) returns uuid[]
language plpgsql stable
-- roll_up turns sequential scans off. Without them, PostgreSQL might look up all deliveries of the app by device.
set enable_seqscan = on
as $$
declare
    starts timestamptz;
    ends timestamptz;
begin
    select greatest(min(r.anchor_day), sealed), max(r.anchor_day) + interval '24 hours'
    into starts, ends
    from afterpush.rollup_delivery_days as r
    where r.app_id = app
      and not r.verified
      and r.campaign_id = campaign;
    -- A new campaign has no deliveries yet.
    if starts is null then
        return '{}';
    end if;
    return array(
        select d.delivery_id
        from afterpush.deliveries as d
        where d.app_id = app
          and d.campaign_id = campaign
          and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= starts
          and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < ends
          -- The earliest verified event is not before the earliest one.
          and d.converted_at - afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              <= greatest(old_window, new_window)
          and greatest(d.converted_at, d.verified_converted_at)
              - afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              > least(old_window, new_window)
    );
end
$$;
comment on function afterpush.changed_conversions is
    'The deliveries of a campaign that two conversion windows count differently.';

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
