-- Merges the events of some batches into deliveries, and returns what that changes in the rollups.
--
-- batches: the batches to merge.
-- sealed:  the start of the hours that are not sealed; -infinity if none is.
-- stored_hour: the hour in which all of them were stored.
-- Returns (type merge_result):
--   shapes        deliveries as they are now, less deliveries as they were, counted by shape
--   event_shapes  the batches' events of deliveries, under the dimensions that their delivery has now
--   regrouped     the old dimensions of stored deliveries that now have others
--   converted     deliveries with a converted event as they are now, and as they were, for the rollup of values
--   stored_hours  deliveries as they are now, less deliveries as they were, by anchor hour and hour of their last event
--   released      deliveries of sealed hours that are to be counted now: frozen ones that come to have their first verified
--                 event, and late ones that come to be in an hour that is not sealed
--
-- Steps: read the touched deliveries; mark those that came to be in a sealed hour; insert the new ones; update the
-- stored ones; count. They are one statement, because each of them reads all touched deliveries. Handed on as an array,
-- these would cost 1 to 5 % of the time of a merge, and several copies of them in memory.
--
-- Rows are inserted in the order of their key: transactions that write the same keys in different orders deadlock.
-- Stored rows are updated by their ctid, which needs no index. Only the worker writes deliveries, so a row is still
-- where it was read.
--
-- A delivery of a sealed hour is frozen: it stays as it is, and so do its counts. One that comes to be in such an hour
-- is stored but not counted, and late_deliveries says so; it is counted if a send moves it to an hour that is not sealed.
-- The first verified event releases a frozen delivery of which only unverified events were counted. As events of a released
-- delivery may have been deleted, roll_up computes it again from those that are stored (recompute_deliveries).
--
-- roll_up calls this; its settings apply to it.
create or replace function afterpush.merge_batches(
    batches bigint[], sealed timestamptz, stored_hour timestamptz
)
returns afterpush.merge_result
language plpgsql
as $$
declare
    result afterpush.merge_result;
begin
    with touched as materialized (
        select * from afterpush.touched_deliveries(batches, sealed, stored_hour)
    ),
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id from touched
        where sealed > '-infinity' and anchor_hour < sealed and not is_frozen
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries (
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
            campaign_source_rank, category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, converted_at,
            verified_converted_at, failed_at, replaced_at, verified_failed_at, verified_replaced_at, notification_id,
            device_id, platform, app_version, campaign_id, variant, category_id, fallbacks, actions, device_number,
            last_stored_hour
        )
        select
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
            campaign_source_rank, category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, converted_at,
            verified_converted_at, failed_at, replaced_at, verified_failed_at, verified_replaced_at, notification_id,
            device_id, platform, app_version, campaign_id, variant, category_id, fallbacks, actions,
            afterpush.device_number(device_id), last_stored_hour
        from touched
        where stored_row is null
        order by delivery_id
    ),
    updated as (
        update afterpush.deliveries as d
        set (
                kinds, verified_kinds, platform_source_rank, app_version_source_rank, campaign_source_rank,
                category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at,
                responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, converted_at,
                verified_converted_at, failed_at, replaced_at, verified_failed_at, verified_replaced_at, platform,
                app_version, campaign_id, variant, category_id, fallbacks, actions, last_stored_hour
            ) = (
                t.kinds, t.verified_kinds, t.platform_source_rank, t.app_version_source_rank, t.campaign_source_rank,
                t.category_source_rank, t.category_version, t.first_event_at, t.sent_at, t.receipt_issued_at,
                t.confirmed_at, t.responded_at, t.verified_sent_at, t.verified_confirmed_at, t.verified_responded_at,
                t.converted_at, t.verified_converted_at, t.failed_at, t.replaced_at, t.verified_failed_at,
                t.verified_replaced_at, t.platform, t.app_version, t.campaign_id, t.variant, t.category_id,
                t.fallbacks, t.actions, t.last_stored_hour
            )
        from touched as t
        where t.stored_row is not null
          and not t.is_frozen
          and d.ctid = t.stored_row
    ),
    -- Each delivery twice: plus what it is now, minus what it was. Rollups count no delivery that was held out.
    counted as (
        select
            1 as sign, app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            afterpush.verified_dimensions(
                platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
            ) as verified_dimensions,
            counted_kinds as kinds, counted_verified_kinds as verified_kinds, actions,
            afterpush.observed_time(kinds, confirmed_at, responded_at, failed_at, replaced_at) as confirmed_time,
            afterpush.observed_time(kinds, sent_at, responded_at, failed_at, replaced_at) as sent_time,
            afterpush.observed_time(
                verified_kinds, verified_confirmed_at, verified_responded_at, verified_failed_at, verified_replaced_at
            ) as verified_confirmed_time,
            afterpush.observed_time(
                verified_kinds, verified_sent_at, verified_responded_at, verified_failed_at, verified_replaced_at
            ) as verified_sent_time,
            coalesce(confirmed_at, sent_at) as reached_at,
            coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at,
            afterpush.device_byte(delivery_id) as device
        from touched
        where not afterpush.is_held_out(kinds)
          and (sealed = '-infinity' or anchor_hour >= sealed and not is_frozen)
        union all
        select
            -1, app_id, old_anchor_hour, old_app_version, old_campaign_id, old_variant, old_category_id,
            old_category_version, old_platform, old_verified_dimensions, old_kinds, old_verified_kinds, old_actions,
            old_confirmed_time, old_sent_time, old_verified_confirmed_time, old_verified_sent_time, old_reached_at,
            old_verified_reached_at, afterpush.device_byte(delivery_id)
        from touched
        where stored_row is not null
          and not afterpush.is_held_out(old_kinds)
          and (sealed = '-infinity' or old_anchor_hour >= sealed and not is_frozen)
    ),
    shapes as (
        select
            app_id, anchor_hour, coalesce(app_version, ''), coalesce(campaign_id, ''), coalesce(variant, ''),
            coalesce(category_id, ''), coalesce(category_version, 0), coalesce(platform, ''), verified_dimensions,
            kinds, verified_kinds,
            confirmed_time, sent_time, verified_confirmed_time, verified_sent_time,
            afterpush.timed_actions(actions, reached_at, verified_reached_at),
            sum(sign)::integer,
            string_agg(device, '') filter (where sign > 0) as come,
            string_agg(device, '') filter (where sign < 0) as gone
        from counted
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
        -- Deliveries of other devices may have taken the place of those that left.
        having sum(sign) <> 0
            or string_agg(device, '') filter (where sign > 0) <> string_agg(device, '') filter (where sign < 0)
    ),
    stored_hours as (
        select
            app_id, d.anchor_hour, d.last_stored_hour, sum(sign)::integer,
            coalesce(sum(sign) filter (where d.responded_at is not null and reached_at is not null), 0)::integer,
            coalesce(sum(sign) filter (where d.responded_at < reached_at), 0)::integer
        from touched as t
        cross join lateral (
            values
                (1, t.kinds, t.anchor_hour, t.last_stored_hour, t.responded_at, coalesce(t.confirmed_at, t.sent_at)),
                (-1, old_kinds, old_anchor_hour, old_last_stored_hour, old_responded_at, old_reached_at)
        ) as d (sign, kinds, anchor_hour, last_stored_hour, responded_at, reached_at)
        where not afterpush.is_held_out(d.kinds)
          and (sealed = '-infinity' or d.anchor_hour >= sealed and not is_frozen)
        group by 1, 2, 3
    ),
    -- Of the verified dimensions, 13 are all but the app version, by which no rollup counts events.
    event_shapes as (
        select
            app_id,
            coalesce(case when is_frozen then old_campaign_id else campaign_id end, ''),
            coalesce(case when is_frozen then old_variant else variant end, ''),
            coalesce(case when is_frozen then old_category_id else category_id end, ''),
            coalesce(case when is_frozen then old_platform else platform end, ''),
            13 & case
                when is_frozen then old_verified_dimensions
                else afterpush.verified_dimensions(
                    platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
                )
            end,
            event_hours, event_codes, count(*)::integer
        from touched
        group by 1, 2, 3, 4, 5, 6, 7, 8
    )
    select
        array(select row(s.*)::afterpush.delivery_shape from shapes as s),
        array(select row(e.*)::afterpush.event_shape from event_shapes as e),
        array(
            select row(
                delivery_id, old_campaign_id, old_variant, old_category_id, old_platform, 13 & old_verified_dimensions
            )::afterpush.delivery_dimensions
            from touched
            where stored_row is not null
              and not is_frozen
              and (old_campaign_id, old_variant, old_category_id, old_platform, 13 & old_verified_dimensions)
                  is distinct from (
                      campaign_id, variant, category_id, platform,
                      13 & afterpush.verified_dimensions(
                          platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
                      )
                  )
        ),
        array(
            select row(c.*)::afterpush.converted_delivery
            from touched as t
            cross join lateral afterpush.converted_states(row(t.*)::afterpush.touched_delivery) as c
            where afterpush.has_converted_event(t.kinds) and not t.is_frozen
        ),
        array(select row(h.*)::afterpush.rollup_stored_hours from stored_hours as h),
        array(select delivery_id from touched where is_released)
    into result;
    return result;
end
$$;
comment on function afterpush.merge_batches is
    'Merges the events of some batches into deliveries, and returns what that changes in the rollups.';
