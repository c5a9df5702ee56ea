-- How a change of deliveries changes rollup_actions: one row per group that changes, with signed sums.
--
-- shapes: the change; see delivery_shape.
--
-- A delivery is counted under each of its actions, by all its events, and once more by its verified ones, under the
-- dimensions that these state.
create or replace function afterpush.action_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_actions[]
language plpgsql stable
as $$
begin
    return array(
        with acted as materialized (
            select * from unnest(shapes) where actions is not null
        ),
        modes as (
            select
                s.app_id, false as verified, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.category_version,
                s.platform, s.kinds, a.action_id, a.bucket, s.deliveries, a.events
            from acted as s
            cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
                as a (action_id, bucket, events)
            union all
            select
                s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
                v.verified_category_version, v.verified_platform, s.verified_kinds, a.action_id, a.bucket, s.deliveries,
                a.events
            from acted as s
            cross join lateral afterpush.verified_names(
                s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
                s.category_version
            ) as v
            cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
                as a (action_id, bucket, events)
            where s.verified_kinds <> 0
              and a.events > 0
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
                afterpush.is_sent(kinds), afterpush.is_confirmed(kinds), action_id, bucket,
                sum(deliveries), sum(deliveries::bigint * events)::bigint
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
            having sum(deliveries) <> 0
                or sum(deliveries::bigint * events) <> 0
        )
        select row(s.*)::afterpush.rollup_actions
        from summed as s
    );
end
$$;
comment on function afterpush.action_deltas is 'How a change of deliveries changes rollup_actions.';
