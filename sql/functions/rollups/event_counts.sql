-- How many events of each kind some batches add, by hour and by the dimensions of rollup_events.
--
-- shapes:  the batches' events of deliveries, under the dimensions that their delivery has now (see merge_batches).
-- batches: the batches themselves, whose events about a device alone are counted as well. These have no delivery, so
--          the platform that they state is their only dimension.
--
-- The shapes hold event codes (functions/deliveries/event_code.sql).
create or replace function afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[])
returns afterpush.event_count[]
language plpgsql stable
as $$
begin
    return array(
        with counted as (
            select
                s.app_id, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform, k.kind,
                afterpush.event_code_is_verified(e.code) as is_verified, s.deliveries as events
            from unnest(shapes) as s
            cross join unnest(s.event_hours, s.event_codes) as e (hour, code)
            join unnest(enum_range('sent'::afterpush.event_kind, 'extension_expired')) as k (kind)
                on afterpush.kind_bit(k.kind) = afterpush.event_code_bit(e.code)
            union all
            select app_id, afterpush.hour_of(occurred_at), '', '', '', coalesce(platform, ''), kind, verified, 1
            from afterpush.events
            where batch_id = any (batches)
              and kind >= 'token_registered'
        ),
        summed as (
            select
                app_id, event_hour, campaign_id, variant, category_id, platform, kind,
                sum(events), coalesce(sum(events) filter (where is_verified), 0)
            from counted
            group by 1, 2, 3, 4, 5, 6, 7
        )
        select row(s.*)::afterpush.event_count
        from summed as s
    );
end
$$;
comment on function afterpush.event_counts is 'How many events of each kind some batches add, by hour and dimensions.';
