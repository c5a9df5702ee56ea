-- A rebuild that writes what differs. Most of its time went into indexes: entries for rows that were there before, beside those
-- of the deleted ones.

-- Of a table whose columns are not null, makes the rows that meet a condition those of another table of the same columns.
create function afterpush.replace_rows(stored regclass, fresh regclass, condition text) returns void
language plpgsql
as $$
declare
    is_different boolean;
begin
    execute format('analyze %s', fresh);
    -- Seldom; found out in two thirds of the time that it takes to say which rows they are.
    execute format(
        $text$
        select
            (select count(*) from %1$s where %2$s) <> (select count(*) from %3$s)
            or exists (select * from %1$s where %2$s except select * from %3$s)
        $text$,
        stored, condition, fresh
    )
    into is_different;
    if is_different then
        execute format(
            'delete from %s as s where %s and not exists (select from %s as f where f = s)', stored, condition, fresh
        );
        execute format(
            'insert into %s select f.* from %s as f where not exists (select from %s as s where %s and s = f)',
            stored, fresh, stored, condition
        );
    end if;
end
$$;
comment on function afterpush.replace_rows is 'Makes chosen rows of a table those of another, and writes what differs.';

create or replace function afterpush.rollup_rebuild() returns void
language plpgsql
set jit = off
-- It is the processes that are slow, and not what they hand on.
set parallel_tuple_cost = 0.01
as $$
declare
    sealed timestamptz;
    waiting bigint[];
    condition text;
begin
    -- It is done once in a while, and alone.
    perform set_config('work_mem', current_setting('maintenance_work_mem'), true);
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;
    condition := format('anchor_hour >= %L', sealed);

    create temporary table differing on commit drop as
    select rebuilt.*, stored.delivery_id as stored_id
    from (
        select m.* from afterpush.merged_deliveries(null, waiting) as m
        where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
          -- Of a delivery of a sealed hour some events may be gone.
          and not exists (
              select
              from afterpush.deliveries as d
              where d.delivery_id = m.delivery_id
                and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
          )
        -- So that each value is worked out once.
        offset 0
    ) as rebuilt
    full join (
        select d.* from afterpush.deliveries as d
        where afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
          and d.device_id is not null
    ) as stored
        on stored.delivery_id = rebuilt.delivery_id
    where rebuilt is distinct from stored;

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from differing where delivery_id is null);
    insert into afterpush.deliveries (
        delivery_id, app_id, kinds, verified_kinds, platform_standing, app_version_standing, campaign_standing,
        category_standing, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, platform,
        app_version, campaign_id, variant, category_id, actions
    )
    select
        delivery_id, app_id, kinds, verified_kinds, platform_standing, app_version_standing, campaign_standing,
        category_standing, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, platform,
        app_version, campaign_id, variant, category_id, actions
    from differing
    where delivery_id is not null
    order by delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_standing = excluded.platform_standing,
        app_version_standing = excluded.app_version_standing,
        campaign_standing = excluded.campaign_standing,
        category_standing = excluded.category_standing,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        actions = excluded.actions;

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
    select
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_ids,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced)
    from (
        select s.*, false as verified, kinds as bits, coalesce((actions).action_ids, '{}') as action_ids
        from shapes as s
        union all
        select
            s.*, true, verified_kinds,
            array(
                select a.action_id
                from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                where a.events > 0
            )
        from shapes as s
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
        select s.*, bucket as time, deliveries as unverified, 0 as verified
        from shapes as s
        where bucket is not null
        union all
        select s.*, verified_bucket, 0, deliveries
        from shapes as s
        where verified_bucket is not null
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
