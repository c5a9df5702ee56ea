-- Takes the oldest batches that are not rolled up, up to about `max_events` events, merges them into deliveries and
-- adds what changed to the rollups. Returns the number of events merged: 0 when none waits, null when another worker is
-- at it.
create or replace function afterpush.roll_up(max_events integer) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- A plan for any batches would take twice as long to run as this one takes to make.
set plan_cache_mode = force_custom_plan
set jit = off
set work_mem = '64MB'
-- A group's memory is estimated at tens of kilobytes, for its arrays; it takes less than two.
set hash_mem_multiplier = 32
as $$
declare
    taken bigint[];
    taken_events bigint;
    emptied timestamptz[];
    emptied_responses tid[];
    emptied_response_days tid[];
    emptied_days tid[];
    emptied_goals tid[];
    emptied_actions tid[];
    moved afterpush.delivery_dimensions[];
    counts afterpush.event_count[];
    sealed timestamptz;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id), sum(events)
    into taken, taken_events
    from (
        select batch_id, events, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events;
    if taken is null then
        return 0;
    end if;

    with merged as materialized (
        select
            *,
            afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            substr(platform_key, 2) as platform,
            substr(app_version_key, 2) as app_version,
            afterpush.attribution_value(campaign_key) as campaign_id,
            afterpush.attribution_detail(campaign_key) as variant,
            afterpush.attribution_value(category_key) as category_id,
            afterpush.attribution_detail(category_key)::integer as category_version
        from (
            select
                d.ctid as place,
                d.delivery_id is not null and sealed > '-infinity'
                    and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                    and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
                as is_frozen,
                t.delivery_id,
                t.app_id,
                t.kinds | coalesce(d.kinds, 0) as kinds,
                t.verified_kinds | coalesce(d.verified_kinds, 0) as verified_kinds,
                afterpush.effective_attribution(
                    least(t.platform, d.platform_source_rank || d.platform), t.kinds | coalesce(d.kinds, 0)
                ) as platform_key,
                afterpush.effective_attribution(
                    least(t.app_version, d.app_version_source_rank || d.app_version), t.kinds | coalesce(d.kinds, 0)
                ) as app_version_key,
                afterpush.effective_attribution(
                    least(t.campaign, afterpush.attribution_key(d.campaign_source_rank::text, d.campaign_id, d.variant)),
                    t.kinds | coalesce(d.kinds, 0)
                ) as campaign_key,
                afterpush.effective_attribution(
                    least(
                        t.category,
                        afterpush.attribution_key(d.category_source_rank::text, d.category_id, lpad(d.category_version::text, 10, '0'))
                    ),
                    t.kinds | coalesce(d.kinds, 0)
                ) as category_key,
                least(t.first_event_at, d.first_event_at) as first_event_at,
                least(t.sent_at, d.sent_at) as sent_at,
                least(t.receipt_issued_at, d.receipt_issued_at) as receipt_issued_at,
                least(t.confirmed_at, d.confirmed_at) as confirmed_at,
                least(t.responded_at, d.responded_at) as responded_at,
                least(t.verified_sent_at, d.verified_sent_at) as verified_sent_at,
                least(t.verified_confirmed_at, d.verified_confirmed_at) as verified_confirmed_at,
                least(t.verified_responded_at, d.verified_responded_at) as verified_responded_at,
                t.notification_id,
                t.device_id,
                case
                    when t.actions is null then d.actions
                    when d.actions is null and cardinality(t.actions) = 1 then t.actions
                    else afterpush.merged_actions(t.actions || d.actions)
                end as actions,
                t.event_hours,
                t.event_kinds,
                d.kinds as old_kinds,
                d.verified_kinds as old_verified_kinds,
                afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_hour,
                d.responded_at as old_responded_at,
                d.verified_responded_at as old_verified_responded_at,
                coalesce(d.confirmed_at, d.sent_at) as old_reached_at,
                coalesce(d.verified_confirmed_at, d.verified_sent_at) as old_verified_reached_at,
                d.platform as old_platform,
                d.app_version as old_app_version,
                d.campaign_id as old_campaign_id,
                d.variant as old_variant,
                d.category_id as old_category_id,
                d.category_version as old_category_version,
                d.actions as old_actions
            from afterpush.delivery_deltas(taken, null) as t
            left join afterpush.deliveries as d on d.delivery_id = t.delivery_id
            -- So that each expression is worked out once.
            offset 0
        ) as met
    ),
    -- A delivery of a sealed hour stays as it is, and so does what was counted of it: it is frozen. One that only comes to
    -- be in such an hour is kept, and not counted.
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id
        from merged
        where sealed > '-infinity'
          and anchor_hour < sealed
          and not is_frozen
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries (
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank, campaign_source_rank,
            category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at,
            responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
            platform, app_version, campaign_id, variant, category_id, actions
        )
        select
            delivery_id, app_id, kinds, verified_kinds, afterpush.attribution_source_rank(platform_key),
            afterpush.attribution_source_rank(app_version_key), afterpush.attribution_source_rank(campaign_key),
            afterpush.attribution_source_rank(category_key), category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id,
            device_id, platform, app_version, campaign_id, variant, category_id, actions
        from merged
        where place is null
        order by delivery_id
    ),
    -- The worker alone writes deliveries, so each is where it was found.
    updated as (
        update afterpush.deliveries as d
        set kinds = merged.kinds,
            verified_kinds = merged.verified_kinds,
            platform_source_rank = afterpush.attribution_source_rank(platform_key),
            app_version_source_rank = afterpush.attribution_source_rank(app_version_key),
            campaign_source_rank = afterpush.attribution_source_rank(campaign_key),
            category_source_rank = afterpush.attribution_source_rank(category_key),
            category_version = merged.category_version,
            first_event_at = merged.first_event_at,
            sent_at = merged.sent_at,
            receipt_issued_at = merged.receipt_issued_at,
            confirmed_at = merged.confirmed_at,
            responded_at = merged.responded_at,
            verified_sent_at = merged.verified_sent_at,
            verified_confirmed_at = merged.verified_confirmed_at,
            verified_responded_at = merged.verified_responded_at,
            platform = merged.platform,
            app_version = merged.app_version,
            campaign_id = merged.campaign_id,
            variant = merged.variant,
            category_id = merged.category_id,
            actions = merged.actions
        from merged
        where place is not null
          and not is_frozen
          and d.ctid = place
    ),
    -- What the touched deliveries add now, less what they added before. Most look like many others: they are counted
    -- before anything is derived.
    shapes as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
            verified_kinds,
            case when responded_at is not null then afterpush.time_bucket(responded_at - reached_at) end as bucket,
            case
                when verified_responded_at is not null
                then afterpush.time_bucket(verified_responded_at - verified_reached_at)
            end as verified_bucket,
            case
                when cardinality(actions) = 1
                then row(
                    array[(actions[1]).action_id],
                    array[afterpush.time_bucket((actions[1]).first_at - reached_at)],
                    array[(actions[1]).events],
                    array[afterpush.time_bucket((actions[1]).verified_first_at - verified_reached_at)],
                    array[(actions[1]).verified_events]
                )::afterpush.timed_actions
                when actions is not null
                then (
                    select
                        row(
                            array_agg(a.action_id),
                            array_agg(afterpush.time_bucket(a.first_at - reached_at)),
                            array_agg(a.events),
                            array_agg(afterpush.time_bucket(a.verified_first_at - verified_reached_at)),
                            array_agg(a.verified_events)
                        )::afterpush.timed_actions
                    from unnest(actions) as a
                )
            end as actions,
            sum(sign) as deliveries
        from (
            select
                1 as sign, app_id, anchor_hour, coalesce(app_version, '') as app_version,
                coalesce(campaign_id, '') as campaign_id, coalesce(variant, '') as variant,
                coalesce(category_id, '') as category_id, coalesce(category_version, 0) as category_version,
                coalesce(platform, '') as platform, kinds, verified_kinds, actions, responded_at,
                verified_responded_at, coalesce(confirmed_at, sent_at) as reached_at,
                coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at
            from merged
            where sealed = '-infinity'
               or anchor_hour >= sealed and not is_frozen
            union all
            select
                -1, app_id, old_anchor_hour, coalesce(old_app_version, ''), coalesce(old_campaign_id, ''),
                coalesce(old_variant, ''), coalesce(old_category_id, ''), coalesce(old_category_version, 0),
                coalesce(old_platform, ''), old_kinds, old_verified_kinds, old_actions, old_responded_at,
                old_verified_responded_at, old_reached_at, old_verified_reached_at
            from merged
            where place is not null
              and (sealed = '-infinity' or old_anchor_hour >= sealed and not is_frozen)
        ) as keyed
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        having sum(sign) <> 0
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, action_ids as actions,
            sum(deliveries) as deliveries,
            sum(deliveries * failed) as failed,
            sum(deliveries * delivered) as delivered,
            sum(deliveries * displayed) as displayed,
            sum(deliveries * opened) as opened,
            sum(deliveries * replied) as replied,
            sum(deliveries * dismissed) as dismissed,
            sum(deliveries * read) as read,
            sum(deliveries * responded) as responded,
            sum(deliveries * converted_events) as converted_events,
            sum(deliveries * replaced) as replaced
        from (
            select
                shapes.*, false as verified, kinds as bits,
                coalesce((actions).action_ids, '{}') as action_ids
            from shapes
            union all
            select
                shapes.*, true, verified_kinds,
                array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                )
            from shapes
            where verified_kinds <> 0
        ) as modes
        cross join lateral afterpush.states(bits)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ),
    by_app_version as (
        insert into afterpush.rollup_app_versions as r (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        from change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, afterpush.actions_key(actions)) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    by_dimension as (
        insert into afterpush.rollup_deliveries as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, afterpush.actions_key(actions)) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    action_change as materialized (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            bits & 1 <> 0 as is_sent, bits & 4 <> 0 as is_confirmed, action_id, bucket,
            sum(deliveries) as deliveries, sum(deliveries * events) as events
        from (
            select
                false as verified, kinds as bits, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
                as a (action_id, bucket, events)
            where s.actions is not null
            union all
            select
                true, s.verified_kinds, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
                as a (action_id, bucket, events)
            where s.actions is not null
              and s.verified_kinds <> 0
              and a.events > 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(deliveries) <> 0 or sum(deliveries * events) <> 0
    ),
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select *
        from action_change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.anchor_hour, r.deliveries
    ),
    response_change as materialized (
        select
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            sum(deliveries) as deliveries, sum(verified_deliveries) as verified_deliveries
        from (
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
                deliveries, 0 as verified_deliveries
            from shapes
            where bucket is not null
            union all
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, verified_bucket,
                0, deliveries
            from shapes
            where verified_bucket is not null
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(deliveries) <> 0 or sum(verified_deliveries) <> 0
    ),
    by_response as (
        insert into afterpush.rollup_responses as r (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            deliveries, verified_deliveries
        )
        select *
        from response_change
        order by 1, 2, 3, 4, 5, 6, 7, 8
        on conflict (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_response_day as (
        insert into afterpush.rollup_response_days as r (
            app_id, anchor_day, campaign_id, variant, category_id, platform, deliveries, verified_deliveries, times,
            verified_times
        )
        select
            app_id, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries), sum(verified_deliveries),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(verified_deliveries order by bucket))
        from (
            select
                app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
                sum(deliveries)::bigint as deliveries, sum(verified_deliveries)::bigint as verified_deliveries
            from response_change
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        order by 1, 3, 2, 4, 5, 6
        on conflict (app_id, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries,
            times = afterpush.add_running_totals(r.times, excluded.times),
            verified_times = afterpush.add_running_totals(r.verified_times, excluded.verified_times)
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_action_day as (
        insert into afterpush.rollup_action_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id, deliveries,
            deliveries_sent, deliveries_confirmed, events, times
        )
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
            sum(deliveries), sum(deliveries_sent), sum(deliveries_confirmed), sum(events),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from (
            select
                app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
                category_version, action_id, bucket,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
                coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
                sum(events) as events
            from action_change
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        ) as timed
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            events = r.events + excluded.events,
            times = afterpush.add_running_totals(r.times, excluded.times)
        returning r.ctid as place, r.deliveries
    ),
    by_goal_day as (
        insert into afterpush.rollup_goal_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform, actions,
            deliveries, deliveries_sent, deliveries_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            actions,
            sum(deliveries - converted_events),
            coalesce(sum(deliveries - converted_events) filter (where is_sent), 0),
            coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)
        from change
        where cardinality(actions) > 0
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        having sum(deliveries - converted_events) <> 0
            or sum(deliveries - converted_events) filter (where is_sent) <> 0
            or sum(deliveries - converted_events) filter (where is_confirmed) <> 0
        order by 1, 2, 4, 3, 5, 6, 7, 8, 9
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
            afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed
        returning r.ctid as place, r.deliveries
    ),
    by_day as (
        insert into afterpush.rollup_delivery_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform,
            deliveries, deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent,
            displayed, opened, opened_sent, opened_confirmed, acted, acted_sent, acted_confirmed, replied,
            replied_sent, replied_confirmed, dismissed, dismissed_sent, dismissed_confirmed, read, read_sent,
            read_confirmed, responded, responded_sent, responded_confirmed, converted_events, converted_events_sent,
            converted_events_confirmed, replaced, replaced_sent, replaced_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            sum(deliveries)::integer as deliveries,
            coalesce(sum(deliveries) filter (where is_sent), 0)::integer as deliveries_sent,
            coalesce(sum(deliveries) filter (where is_confirmed), 0)::integer as deliveries_confirmed,
            coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0)::integer as deliveries_both,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            coalesce(sum(delivered) filter (where is_sent), 0)::integer as delivered_sent,
            sum(displayed)::integer as displayed,
            sum(opened)::integer as opened,
            coalesce(sum(opened) filter (where is_sent), 0)::integer as opened_sent,
            coalesce(sum(opened) filter (where is_confirmed), 0)::integer as opened_confirmed,
            coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0)::integer as acted,
            coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0)::integer as acted_sent,
            coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0)::integer as acted_confirmed,
            sum(replied)::integer as replied,
            coalesce(sum(replied) filter (where is_sent), 0)::integer as replied_sent,
            coalesce(sum(replied) filter (where is_confirmed), 0)::integer as replied_confirmed,
            sum(dismissed)::integer as dismissed,
            coalesce(sum(dismissed) filter (where is_sent), 0)::integer as dismissed_sent,
            coalesce(sum(dismissed) filter (where is_confirmed), 0)::integer as dismissed_confirmed,
            sum(read)::integer as read,
            coalesce(sum(read) filter (where is_sent), 0)::integer as read_sent,
            coalesce(sum(read) filter (where is_confirmed), 0)::integer as read_confirmed,
            sum(responded)::integer as responded,
            coalesce(sum(responded) filter (where is_sent), 0)::integer as responded_sent,
            coalesce(sum(responded) filter (where is_confirmed), 0)::integer as responded_confirmed,
            sum(converted_events)::integer as converted_events,
            coalesce(sum(converted_events) filter (where is_sent), 0)::integer as converted_events_sent,
            coalesce(sum(converted_events) filter (where is_confirmed), 0)::integer as converted_events_confirmed,
            sum(replaced)::integer as replaced,
            coalesce(sum(replaced) filter (where is_sent), 0)::integer as replaced_sent,
            coalesce(sum(replaced) filter (where is_confirmed), 0)::integer as replaced_confirmed
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            deliveries_both = r.deliveries_both + excluded.deliveries_both,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            delivered_sent = r.delivered_sent + excluded.delivered_sent,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            opened_sent = r.opened_sent + excluded.opened_sent,
            opened_confirmed = r.opened_confirmed + excluded.opened_confirmed,
            acted = r.acted + excluded.acted,
            acted_sent = r.acted_sent + excluded.acted_sent,
            acted_confirmed = r.acted_confirmed + excluded.acted_confirmed,
            replied = r.replied + excluded.replied,
            replied_sent = r.replied_sent + excluded.replied_sent,
            replied_confirmed = r.replied_confirmed + excluded.replied_confirmed,
            dismissed = r.dismissed + excluded.dismissed,
            dismissed_sent = r.dismissed_sent + excluded.dismissed_sent,
            dismissed_confirmed = r.dismissed_confirmed + excluded.dismissed_confirmed,
            read = r.read + excluded.read,
            read_sent = r.read_sent + excluded.read_sent,
            read_confirmed = r.read_confirmed + excluded.read_confirmed,
            responded = r.responded + excluded.responded,
            responded_sent = r.responded_sent + excluded.responded_sent,
            responded_confirmed = r.responded_confirmed + excluded.responded_confirmed,
            converted_events = r.converted_events + excluded.converted_events,
            converted_events_sent = r.converted_events_sent + excluded.converted_events_sent,
            converted_events_confirmed = r.converted_events_confirmed + excluded.converted_events_confirmed,
            replaced = r.replaced + excluded.replaced,
            replaced_sent = r.replaced_sent + excluded.replaced_sent,
            replaced_confirmed = r.replaced_confirmed + excluded.replaced_confirmed
        returning r.ctid as place, r.deliveries
    ),
    -- Events are counted under the names that their delivery has now; those about a device alone have their platform only.
    event_shapes as materialized (
        select
            app_id,
            coalesce(case when is_frozen then old_campaign_id else campaign_id end, '') as campaign_id,
            coalesce(case when is_frozen then old_variant else variant end, '') as variant,
            coalesce(case when is_frozen then old_category_id else category_id end, '') as category_id,
            coalesce(case when is_frozen then old_platform else platform end, '') as platform,
            event_hours, event_kinds, count(*) as deliveries
        from merged
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    event_change as (
        select
            app_id, event_hour, campaign_id, variant, category_id, platform, kind,
            sum(events)::bigint as events, coalesce(sum(events) filter (where verified), 0)::bigint as verified_events
        from (
            select
                s.app_id, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform, k.kind,
                e.code & 1 = 1 as verified, s.deliveries as events
            from event_shapes as s
            cross join unnest(s.event_hours, s.event_kinds) as e (hour, code)
            join unnest(enum_range('sent'::afterpush.event_kind, 'extension_expired')) as k (kind)
                on afterpush.kind_bit(k.kind) = e.code >> 1
            union all
            select app_id, afterpush.hour_of(occurred_at), '', '', '', coalesce(platform, ''), kind, verified, 1
            from afterpush.events
            where batch_id = any (taken)
              and kind >= 'token_registered'
        ) as told_events
        group by 1, 2, 3, 4, 5, 6, 7
    )
    select
        (
            select array_agg(distinct anchor_hour)
            from (
                select anchor_hour, deliveries from by_app_version
                union all select anchor_hour, deliveries from by_dimension
                union all select anchor_hour, deliveries from by_action
            ) as r
            where deliveries = 0
        ),
        (select array_agg(place) from by_response where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_response_day where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_day where deliveries = 0),
        (select array_agg(place) from by_goal_day where deliveries = 0),
        (select array_agg(place) from by_action_day where deliveries = 0),
        (
            select array_agg(row(e.*)::afterpush.event_count)
            from event_change as e
        ),
        -- Deliveries under other names than before.
        (
            select array_agg(row(
                delivery_id, old_campaign_id, old_variant, old_category_id, old_platform
            )::afterpush.delivery_dimensions)
            from merged
            where place is not null
              and not is_frozen
              and (
                  old_campaign_id is distinct from campaign_id
                  or old_variant is distinct from variant
                  or old_category_id is distinct from category_id
                  or old_platform is distinct from platform
              )
        )
    into emptied, emptied_responses, emptied_response_days, emptied_days, emptied_goals, emptied_actions, counts, moved;

    if moved is not null then
        counts := counts || afterpush.moved_event_counts(moved);
    end if;
    if sealed > '-infinity' then
        counts := array(select c from unnest(counts) as c where c.event_hour >= sealed);
    end if;
    perform afterpush.add_event_counts(counts);

    -- A row that nothing is left of goes, so that tables equal the sum over all deliveries, row for row.
    if emptied is not null then
        delete from afterpush.rollup_app_versions
        using afterpush.apps
        where rollup_app_versions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_deliveries
        using afterpush.apps
        where rollup_deliveries.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_actions
        using afterpush.apps
        where rollup_actions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
    end if;

    if emptied_responses is not null then
        delete from afterpush.rollup_responses where ctid = any (emptied_responses);
    end if;
    if emptied_response_days is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied_response_days);
    end if;
    if emptied_goals is not null then
        delete from afterpush.rollup_goal_days where ctid = any (emptied_goals);
    end if;
    if emptied_actions is not null then
        delete from afterpush.rollup_action_days where ctid = any (emptied_actions);
    end if;
    if emptied_days is not null then
        delete from afterpush.rollup_delivery_days where ctid = any (emptied_days);
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (taken);
    return taken_events;
end
$$;
comment on function afterpush.roll_up is
    'Merges waiting batches into deliveries and rollups; returns how many events, or null when another worker is at it.';
