-- Recomputes rollup_app_versions and rollup_deliveries for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes. Shapes that differ only in times are combined
-- first: these rollups have no times.
create or replace function afterpush.rebuild_rollup_deliveries(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_app_versions (like afterpush.rollup_app_versions) on commit drop;
    insert into pg_temp.fresh_app_versions
    with timeless as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_dimensions, kinds, verified_kinds, (actions).action_ids,
            array(select e > 0 from unnest((actions).verified_events) as e) as are_verified,
            sum(deliveries)::integer as deliveries
        from pg_temp.delivery_shapes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    ),
    modes as (
        select
            app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
            platform, kinds, coalesce(action_ids, '{}') as action_ids, deliveries,
            (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
            afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
        from timeless
        union all
        select
            app_id, true, anchor_hour, verified_app_version, verified_campaign_id, verified_variant,
            verified_category_id, verified_category_version, verified_platform, verified_kinds,
            array(
                select a.action_id
                from unnest(action_ids, are_verified) as a (action_id, is_verified)
                where a.is_verified
            ),
            deliveries, 0, 0
        from timeless
        cross join lateral afterpush.verified_names(
            verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
        )
        where verified_kinds <> 0
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, action_ids,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced),
        sum(deliveries * refused), sum(deliveries * locally_sent),
        sum(deliveries * only_locally_sent), app_version
    from modes
    cross join lateral afterpush.states(kinds)
    group by app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_ids;
    perform afterpush.replace_rows(
        'afterpush.rollup_app_versions', 'pg_temp.fresh_app_versions', format('anchor_hour >= %L', sealed)
    );

    create temporary table fresh_deliveries (like afterpush.rollup_deliveries) on commit drop;
    insert into pg_temp.fresh_deliveries
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened), sum(replied),
        sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced), sum(refused), sum(locally_sent),
        sum(only_locally_sent)
    from afterpush.rollup_app_versions
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
    perform afterpush.replace_rows(
        'afterpush.rollup_deliveries', 'pg_temp.fresh_deliveries', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_deliveries is
    'Recomputes rollup_app_versions and rollup_deliveries for hours that are not sealed.';
