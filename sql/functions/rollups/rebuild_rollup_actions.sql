-- Recomputes rollup_actions for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes.
create or replace function afterpush.rebuild_rollup_actions(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_actions (like afterpush.rollup_actions) on commit drop;
    insert into pg_temp.fresh_actions
    with modes as (
        select
            s.app_id, false as verified, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.category_version,
            s.platform, s.kinds, a.action_id, a.bucket, s.deliveries, a.events
        from pg_temp.delivery_shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
            as a (action_id, bucket, events)
        where s.actions is not null
        union all
        select
            s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
            v.verified_category_version, v.verified_platform, s.verified_kinds, a.action_id, a.bucket, s.deliveries,
            a.events
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
        cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
            as a (action_id, bucket, events)
        where s.actions is not null
          and s.verified_kinds <> 0
          and a.events > 0
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        afterpush.is_sent(kinds), afterpush.is_confirmed(kinds), action_id, bucket,
        sum(deliveries), sum(deliveries * events)
    from modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows(
        'afterpush.rollup_actions', 'pg_temp.fresh_actions', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_actions is
    'Recomputes rollup_actions for hours that are not sealed.';
