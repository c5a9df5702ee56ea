create or replace function afterpush.rollup_rebuild() returns void
language plpgsql
set jit = off
-- It is the processes that are slow, and not what they hand on.
set parallel_tuple_cost = 0.01
as $$
declare
    sealed timestamptz;
    condition text;
begin
    -- It is done once in a while, and alone.
    perform set_config('work_mem', current_setting('maintenance_work_mem'), true);
    select sealed_before into sealed from afterpush.rollup_worker for update;
    condition := format('anchor_hour >= %L', sealed);

    perform afterpush.rebuild_deliveries(sealed);

    create temporary table shapes on commit drop as
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
        count(*)::integer as deliveries
    from afterpush.keyed_deliveries
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;
    analyze shapes;

    create temporary table fresh_app_versions (like afterpush.rollup_app_versions) on commit drop;
    insert into fresh_app_versions (
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
        responded, converted_events, replaced
    )
    with timeless as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
            verified_kinds, (actions).action_ids,
            array(select e > 0 from unnest((actions).verified_events) as e) as are_verified,
            sum(deliveries)::integer as deliveries
        from shapes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    )
    select
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_ids,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced)
    from (
        select
            app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
            platform, kinds as bits, coalesce(action_ids, '{}') as action_ids, deliveries
        from timeless
        union all
        select
            app_id, true, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_kinds,
            array(
                select a.action_id
                from unnest(action_ids, are_verified) as a (action_id, is_verified)
                where a.is_verified
            ),
            deliveries
        from timeless
        where verified_kinds <> 0
    ) as modes
    cross join lateral afterpush.states(bits)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows('afterpush.rollup_app_versions', 'fresh_app_versions', condition);

    create temporary table fresh_deliveries (like afterpush.rollup_deliveries) on commit drop;
    insert into fresh_deliveries (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read, responded,
        converted_events, replaced
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened), sum(replied),
        sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
    from afterpush.rollup_app_versions
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
    perform afterpush.replace_rows('afterpush.rollup_deliveries', 'fresh_deliveries', condition);

    create temporary table fresh_actions (like afterpush.rollup_actions) on commit drop;
    insert into fresh_actions (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, action_id, bucket, deliveries, events
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        bits & 1 <> 0, bits & 4 <> 0, action_id, action_bucket, sum(deliveries), sum(deliveries * events)
    from (
        select s.*, false as verified, kinds as bits, a.action_id, a.bucket as action_bucket, a.events
        from shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
            as a (action_id, bucket, events)
        where s.actions is not null
        union all
        select s.*, true, verified_kinds, a.action_id, a.bucket, a.events
        from shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
            as a (action_id, bucket, events)
        where s.actions is not null
          and s.verified_kinds <> 0
          and a.events > 0
    ) as modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows('afterpush.rollup_actions', 'fresh_actions', condition);

    create temporary table fresh_responses (like afterpush.rollup_responses) on commit drop;
    insert into fresh_responses (
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket, deliveries,
        verified_deliveries
    )
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, time, sum(unverified), sum(verified)
    from (
        select
            s.*, bucket as time, deliveries as unverified,
            case when verified_bucket = bucket then deliveries else 0 end as verified
        from shapes as s
        where bucket is not null
        union all
        select s.*, verified_bucket, 0, deliveries
        from shapes as s
        where verified_bucket is distinct from bucket
          and verified_bucket is not null
    ) as modes
    group by 1, 2, 3, 4, 5, 6, 7, 8;
    perform afterpush.replace_rows('afterpush.rollup_responses', 'fresh_responses', condition);

    -- By several processes. The planner takes each event for a group of its own, which it would rather sort than hash.
    perform set_config('enable_sort', 'off', true);
    create temporary table fresh_events on commit drop as
    select * from afterpush.expected_events where event_hour >= sealed;
    perform set_config('enable_sort', 'on', true);
    perform afterpush.replace_rows('afterpush.rollup_events', 'fresh_events', format('event_hour >= %L', sealed));
    delete from afterpush.rollup_event_hours where event_hour >= sealed;
    insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours where event_hour >= sealed;

    -- The day that holds the seal is the sum of hours on both sides of it.
    delete from afterpush.rollup_delivery_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_goal_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_action_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_response_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_delivery_days
    select * from afterpush.summed_delivery_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_goal_days
    select * from afterpush.summed_goal_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_action_days
    select * from afterpush.summed_action_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_response_days
    select * from afterpush.summed_response_days where anchor_day >= afterpush.day_of(sealed);
end
$$;
comment on function afterpush.rollup_rebuild is
    'Recomputes deliveries from events and rollups from deliveries, for hours that are not sealed.';
