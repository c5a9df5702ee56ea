-- The deliveries that some batches touch, one row each: the stored row merged with what the batches' events say, its
-- location if it is stored, and the part of its old state that the rollups have counted. `sealed` is the start of the
-- hours that are not sealed; -infinity if none is. `stored_hour` is the hour in which all of the batches were stored.
--
-- Merging takes the smaller of two times or attribution keys, the bitwise `or` of two sets of kinds, and the sum of the
-- events of an action, so the order and grouping of batches cannot matter. Of first_event_at and receipt_issued_at,
-- those of a side with verified events win over those of a side without. Fallbacks are read only where they matter,
-- which is rare.
--
-- The nested selects are steps: combine the stored row with the delta, drop the keys that do not count, take the keys
-- apart. `offset 0` keeps the planner from merging them, so that each expression is computed once. It also lets calls of
-- effective_attribution have plain columns as arguments, or PostgreSQL would not inline them (1 to 2 us per delivery).
-- PostgreSQL inlines this function into its caller: keep it one select without `set`.
create or replace function afterpush.touched_deliveries(
    batches bigint[], sealed timestamptz, stored_hour timestamptz
)
returns setof afterpush.touched_delivery
language sql stable
as $$
    select
        stored_row, is_frozen, delivery_id, app_id, kinds, verified_kinds,
        afterpush.attribution_source_rank(platform_key), afterpush.attribution_source_rank(app_version_key),
        afterpush.attribution_source_rank(campaign_key), afterpush.attribution_source_rank(category_key),
        afterpush.attribution_detail(category_key)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, converted_at, verified_converted_at,
        failed_at, replaced_at, verified_failed_at, verified_replaced_at,
        notification_id, device_id,
        substr(platform_key, 2), substr(app_version_key, 2),
        afterpush.attribution_value(campaign_key), afterpush.attribution_detail(campaign_key),
        afterpush.attribution_value(category_key),
        case
            when may_have_fallbacks
                and afterpush.has_rank_3(platform_key, app_version_key, campaign_key, category_key)
            then afterpush.kept_fallbacks(
                afterpush.stated_fallbacks(delivery_id, batches, null, true),
                platform_key, app_version_key, campaign_key, category_key
            )
        end,
        actions,
        afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at),
        afterpush.counted_kinds(
            kinds, converted_at, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at),
            (
                select afterpush.window_of_delivery(
                    c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery,
                    afterpush.device_number(keyed.device_id), keyed.delivery_id
                )
                from afterpush.campaigns as c
                where c.app_id = keyed.app_id and c.campaign_id = afterpush.attribution_value(campaign_key)
            )
        ),
        afterpush.counted_kinds(
            verified_kinds, verified_converted_at,
            afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at),
            (
                select afterpush.window_of_delivery(
                    c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery,
                    afterpush.device_number(keyed.device_id), keyed.delivery_id
                )
                from afterpush.campaigns as c
                where c.app_id = keyed.app_id and c.campaign_id = afterpush.attribution_value(campaign_key)
                  and afterpush.attribution_source_rank(campaign_key) <= 3
            )
        ),
        event_hours, event_codes,
        old_kinds, old_verified_kinds, old_category_version, old_confirmed_time, old_sent_time,
        old_verified_confirmed_time, old_verified_sent_time, old_reached_at, old_verified_reached_at, old_platform,
        old_app_version, old_campaign_id, old_variant, old_category_id, old_verified_dimensions, old_actions,
        old_anchor_hour, last_stored_hour, old_last_stored_hour, old_responded_at,
        is_frozen and is_first_verified
            or sealed > '-infinity' and not is_frozen and old_anchor_hour < sealed
            and afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) >= sealed
    from (
        select
            *,
            afterpush.effective_attribution(first_platform_key, kinds) as platform_key,
            afterpush.effective_attribution(first_app_version_key, kinds) as app_version_key,
            afterpush.effective_attribution(first_campaign_key, kinds) as campaign_key,
            afterpush.effective_attribution(first_category_key, kinds) as category_key,
            case
                when afterpush.has_converted_event(kinds)
                then afterpush.merged_conversion(
                    delivery_id, batches, conversions, old_converted_at, old_anchor_at,
                    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at), false)
            end as converted_at,
            case
                when afterpush.has_converted_event(verified_kinds)
                then afterpush.merged_conversion(
                    delivery_id, batches, conversions, old_verified_converted_at, old_anchor_at,
                    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at), true)
            end as verified_converted_at
        from (
            select
                d.stored_row,
                d.delivery_id is not null and sealed > '-infinity'
                    and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                    and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
                as is_frozen,
                t.verified_kinds <> 0 and d.verified_kinds = 0 as is_first_verified,
                t.delivery_id, t.app_id, t.kinds | coalesce(d.kinds, 0) as kinds,
                t.verified_kinds | coalesce(d.verified_kinds, 0) as verified_kinds,
                least(t.platform, d.platform_source_rank || d.platform) as first_platform_key,
                least(t.app_version, d.app_version_source_rank || d.app_version) as first_app_version_key,
                least(
                    t.campaign, afterpush.attribution_key(d.campaign_source_rank::text, d.campaign_id, d.variant)
                ) as first_campaign_key,
                least(
                    t.category,
                    afterpush.attribution_key(
                        d.category_source_rank::text, d.category_id, lpad(d.category_version::text, 10, '0')
                    )
                ) as first_category_key,
                d.fallbacks is not null
                    or d.platform_source_rank in (4, 5) or d.app_version_source_rank in (4, 5)
                    or d.campaign_source_rank in (4, 5) or d.category_source_rank in (4, 5)
                    or afterpush.has_unverified_evidence(t.event_codes)
                as may_have_fallbacks,
                case
                    when t.verified_kinds = 0 and d.verified_kinds <> 0 then d.first_event_at
                    when t.verified_kinds <> 0 and d.verified_kinds = 0 then t.first_event_at
                    else least(t.first_event_at, d.first_event_at)
                end as first_event_at,
                least(t.sent_at, d.sent_at) as sent_at,
                case
                    when t.verified_kinds = 0 and d.verified_kinds <> 0 then d.receipt_issued_at
                    when t.verified_kinds <> 0 and d.verified_kinds = 0 then t.receipt_issued_at
                    else least(t.receipt_issued_at, d.receipt_issued_at)
                end as receipt_issued_at,
                least(t.confirmed_at, d.confirmed_at) as confirmed_at,
                least(t.responded_at, d.responded_at) as responded_at,
                least(t.verified_sent_at, d.verified_sent_at) as verified_sent_at,
                least(t.verified_confirmed_at, d.verified_confirmed_at) as verified_confirmed_at,
                least(t.verified_responded_at, d.verified_responded_at) as verified_responded_at,
                least(t.failed_at, d.failed_at) as failed_at, least(t.replaced_at, d.replaced_at) as replaced_at,
                least(t.verified_failed_at, d.verified_failed_at) as verified_failed_at,
                least(t.verified_replaced_at, d.verified_replaced_at) as verified_replaced_at,
                t.notification_id, t.device_id, t.conversions,
                case
                    when t.actions is null then d.actions
                    when d.actions is null and cardinality(t.actions) = 1 then t.actions
                    else afterpush.merged_actions(t.actions || d.actions)
                end as actions,
                t.event_hours, t.event_codes, d.old_kinds, d.old_verified_kinds, d.old_anchor_at, d.old_reached_at,
                d.old_verified_reached_at, d.old_verified_dimensions,
                d.converted_at as old_converted_at, d.verified_converted_at as old_verified_converted_at,
                d.old_confirmed_time, d.old_sent_time, d.old_verified_confirmed_time, d.old_verified_sent_time,
                d.platform as old_platform, d.app_version as old_app_version,
                d.campaign_id as old_campaign_id, d.variant as old_variant,
                d.category_id as old_category_id, d.category_version as old_category_version, d.actions as old_actions,
                afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_hour,
                greatest(t.last_stored_hour, d.last_stored_hour) as last_stored_hour,
                d.last_stored_hour as old_last_stored_hour,
                d.responded_at as old_responded_at
            from afterpush.delivery_deltas(batches, null, stored_hour => touched_deliveries.stored_hour) as t
            left join afterpush.counted_deliveries as d on d.delivery_id = t.delivery_id
            offset 0
        ) as combined
        offset 0
    ) as keyed
$$;
comment on function afterpush.touched_deliveries is
    'The deliveries that some batches touch: their new state, and what the rollups counted of their old one.';
