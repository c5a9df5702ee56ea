-- How many events of each kind some batches add, by hour and by the dimensions of rollup_events.
--
-- shapes:     the batches' events of deliveries, under the dimensions that their delivery has now (see merge_batches).
--             Verified events are counted once more, under the dimensions that verified events state.
-- of_devices: the batches' events about a device alone (function event_sums).
--
-- The shapes hold event codes (functions/deliveries/event_code.sql).
create or replace function afterpush.event_counts(
    shapes afterpush.event_shape[], of_devices afterpush.event_count[]
)
returns afterpush.event_count[]
language plpgsql stable
as $$
begin
    return array(
        with counted as (
            select
                s.app_id, false as verified, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform,
                afterpush.event_code_bit(e.code) as bit, s.deliveries as events
            from unnest(shapes) as s
            cross join unnest(s.event_hours, s.event_codes) as e (hour, code)
            union all
            select
                s.app_id, true, e.hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
                v.verified_platform, afterpush.event_code_bit(e.code), s.deliveries
            from unnest(shapes) as s
            cross join lateral afterpush.verified_names(
                s.verified_dimensions, s.platform, '', s.campaign_id, s.variant, s.category_id, 0
            ) as v
            cross join unnest(s.event_hours, s.event_codes) as e (hour, code)
            where afterpush.event_code_is_verified(e.code)
        ),
        of_kinds as (
            select
                c.app_id, c.verified, c.event_hour, c.campaign_id, c.variant, c.category_id, c.platform, k.kind,
                c.events
            -- Summed before, because roll_up allows no join but by comparing each row with each kind.
            from (
                select
                    app_id, verified, event_hour, campaign_id, variant, category_id, platform, bit,
                    sum(events) as events
                from counted
                group by 1, 2, 3, 4, 5, 6, 7, 8
            ) as c
            join unnest(enum_range('sent'::afterpush.event_kind, 'held_out')) as k (kind)
                on afterpush.kind_bit(k.kind) = c.bit
            union all
            select * from unnest(of_devices)
        ),
        summed as (
            select
                app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, sum(events)
            from of_kinds
            group by 1, 2, 3, 4, 5, 6, 7, 8
        )
        select row(s.*)::afterpush.event_count
        from summed as s
    );
end
$$;
comment on function afterpush.event_counts is 'How many events of each kind some batches add, by hour and dimensions.';
