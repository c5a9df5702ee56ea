-- Recomputes rollup_app_version_counts and rollup_delivery_counts for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes. Shapes that differ only in times are combined
-- first: these rollups have no times.
create or replace function afterpush.rebuild_rollup_deliveries(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_app_version_counts (like afterpush.rollup_app_version_counts) on commit drop;
    insert into pg_temp.fresh_app_version_counts
    with timeless as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_dimensions, kinds, verified_kinds, (actions).action_ids,
            array(select e > 0 from unnest((actions).verified_events) as e) as are_verified,
            sum(deliveries)::integer as deliveries
        from pg_temp.delivery_shapes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    ),
    named as (
        select
            t.*, v.*, coalesce(t.action_ids, '{}') as actions,
            array(
                select a.action_id
                from unnest(t.action_ids, t.are_verified) as a (action_id, is_verified)
                where a.is_verified
            ) as verified_actions
        from timeless as t
        cross join lateral afterpush.verified_names(
            t.verified_dimensions, t.platform, t.app_version, t.campaign_id, t.variant, t.category_id,
            t.category_version
        ) as v
        offset 0
    ),
    compared as (
        select
            *,
            (
                kinds, actions, app_version, campaign_id, variant, category_id, category_version, platform
            ) = (
                verified_kinds, verified_actions, verified_app_version, verified_campaign_id, verified_variant,
                verified_category_id, verified_category_version, verified_platform
            ) as is_same
        from named
    ),
    counted as (
        select
            app_id, case when is_same then 3 else 1 end as modes, anchor_hour, campaign_id, variant, category_id,
            category_version, platform, app_version, kinds, actions, deliveries,
            (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
            afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
        from compared
        union all
        select
            app_id, 2, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
            verified_category_version, verified_platform, verified_app_version, verified_kinds, verified_actions,
            deliveries, 0, 0
        from compared
        where verified_kinds <> 0
          and not is_same
    )
    select
        app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced),
        sum(deliveries * refused), sum(deliveries * locally_sent), sum(deliveries * only_locally_sent), app_version
    from counted
    cross join lateral afterpush.states(kinds)
    group by app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, actions;
    perform afterpush.replace_rows(
        'afterpush.rollup_app_version_counts', 'pg_temp.fresh_app_version_counts', format('anchor_hour >= %L', sealed)
    );

    create temporary table fresh_delivery_counts (like afterpush.rollup_delivery_counts) on commit drop;
    insert into pg_temp.fresh_delivery_counts
    select
        app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened), sum(replied),
        sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced), sum(refused), sum(locally_sent),
        sum(only_locally_sent)
    from pg_temp.fresh_app_version_counts
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
    perform afterpush.replace_rows(
        'afterpush.rollup_delivery_counts', 'pg_temp.fresh_delivery_counts', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_deliveries is
    'Recomputes rollup_app_version_counts and rollup_delivery_counts for hours that are not sealed.';
