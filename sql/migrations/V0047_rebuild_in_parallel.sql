-- A rebuild by several processes. Half of its time went into one statement that one process ran: what events tell of each
-- delivery, beside what is stored of it.

-- Nothing else changes in these two. `from` and `to` (null: no bound) choose delivery_ids.
drop function afterpush.merged_deliveries;
drop function afterpush.told_deliveries;
create function afterpush.told_deliveries(
    "only" bigint[], without bigint[], "from" uuid default null, "to" uuid default null
)
returns setof afterpush.told_delivery
language sql stable
as $$
    select
        delivery_id,
        min(app_id),
        bit_or(bit),
        bit_or(case when verified then bit else 0 end),
        min((standing || platform) collate "C"),
        min((standing || app_version) collate "C"),
        min(afterpush.told(standing, campaign_id, variant) collate "C"),
        min(afterpush.told(standing, category_id, lpad(category_version::text, 10, '0')) collate "C"),
        min(occurred_at),
        min(occurred_at) filter (where bit = 1),
        min(receipt_issued_at),
        min(occurred_at) filter (where bit = 4),
        min(occurred_at) filter (where bit & 480 <> 0),
        min(occurred_at) filter (where verified and bit = 1),
        min(occurred_at) filter (where verified and bit = 4),
        min(occurred_at) filter (where verified and bit & 480 <> 0),
        min(notification_id),
        min(device_id),
        array_agg(row(
            action_identifier, occurred_at, 1, case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where bit & 192 <> 0),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(bit * 2 + verified::integer)
    from (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as standing
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
          and ("from" is null or delivery_id >= "from")
          and ("to" is null or delivery_id < "to")
    ) as taken
    group by delivery_id
$$;
comment on function afterpush.told_deliveries is 'Deliveries as the events of some batches tell them.';
create function afterpush.merged_deliveries(
    "only" bigint[], without bigint[], "from" uuid default null, "to" uuid default null
)
returns setof afterpush.deliveries
language sql stable
as $$
    select
        delivery_id, app_id, kinds, verified_kinds,
        afterpush.told_standing(platform), afterpush.told_standing(app_version),
        afterpush.told_standing(campaign), afterpush.told_standing(category),
        afterpush.told_rest(category)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
        substr(platform, 2), substr(app_version, 2),
        afterpush.told_value(campaign), afterpush.told_rest(campaign), afterpush.told_value(category),
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            delivery_id, app_id, kinds, verified_kinds,
            afterpush.heard(platform, kinds) as platform,
            afterpush.heard(app_version, kinds) as app_version,
            afterpush.heard(campaign, kinds) as campaign,
            afterpush.heard(category, kinds) as category,
            first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
            verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, actions
        from afterpush.told_deliveries("only", without, "from", "to")
        offset 0
    ) as t
$$;
comment on function afterpush.merged_deliveries is 'Deliveries as the events of some batches tell them.';
grant execute on function afterpush.told_deliveries, afterpush.merged_deliveries to afterpush_worker;

-- A delivery that must be stored otherwise than it is: what it must be (null: not there), and its delivery_id if it is there.
create function afterpush.differing_deliveries(sealed timestamptz, waiting bigint[], "from" uuid, "to" uuid)
returns table (rebuilt afterpush.deliveries, stored_id uuid)
language plpgsql stable parallel safe cost 100000000
set plan_cache_mode = force_custom_plan
set enable_hashagg = off
as $$
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, "from", "to") as m
        where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- So that each value is worked out once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where ("from" is null or d.delivery_id >= "from")
          and ("to" is null or d.delivery_id < "to")
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          when r.delivery_id is null then not s.is_sealed and (s.stored).device_id is not null
          -- Of a delivery of a sealed hour some events may be gone.
          else not s.is_sealed or s.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      end;
end
$$;
comment on function afterpush.differing_deliveries is 'Deliveries, of a range of delivery_ids, that are not stored as their events tell them.';

-- In ranges of delivery_ids with about as many events each: so many that all processes are at work to the end, and that the
-- memory of one does for each.
create function afterpush.rebuild_deliveries(sealed timestamptz, ranges integer default 8) returns void
language plpgsql
set jit = off
-- One more than there are cores would only take turns with them.
set parallel_leader_participation = off
as $$
declare
    waiting bigint[];
    pages bigint;
    bounds uuid[];
begin
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;
    select sum(c.relpages) into pages
    from pg_catalog.pg_inherits as i
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events'::regclass;
    select array_agg(distinct bound) into bounds
    from (
        select unnest(
            percentile_disc(array(select i::double precision / ranges from generate_series(1, ranges - 1) as i))
            within group (order by delivery_id)
        ) as bound
        -- A thousand pages tell where they lie.
        from afterpush.events tablesample system (100000.0 / greatest(pages, 1000))
    ) as b
    where bound is not null;
    execute 'create temporary table differing on commit drop as '
        || (
            select string_agg(
                format('select * from afterpush.differing_deliveries(%L, %L, %L, %L)', sealed, waiting, "from", "to"),
                ' union all '
            )
            from unnest(array_prepend(null, bounds), array_append(bounds, null)) as r ("from", "to")
        );

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from differing where (rebuilt).delivery_id is null);
    insert into afterpush.deliveries
    select (rebuilt).*
    from differing
    where (rebuilt).delivery_id is not null
    order by (rebuilt).delivery_id
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
end
$$;
comment on function afterpush.rebuild_deliveries is 'Stores deliveries since a time as their events tell them.';

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
