-- How a change of deliveries changes rollup_app_versions: one row per group, with signed sums.
--
-- shapes: the change; see delivery_shape.
--
-- Each delivery is counted by all its events, and once more by its verified ones if it has any, under the dimensions
-- that these state.
create or replace function afterpush.app_version_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_app_versions[]
language plpgsql stable
as $$
begin
    return array(
        with modes as (
            select
                app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id,
                category_version, platform, kinds, coalesce((actions).action_ids, '{}') as action_ids, deliveries,
                (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
                afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
            from unnest(shapes)
            union all
            select
                app_id, true, anchor_hour, verified_app_version, verified_campaign_id, verified_variant,
                verified_category_id, verified_category_version, verified_platform, verified_kinds,
                array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                ),
                deliveries, 0, 0
            from unnest(shapes)
            cross join lateral afterpush.verified_names(
                verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
            )
            where verified_kinds <> 0
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
                is_confirmed, action_ids,
                sum(deliveries),
                sum(deliveries * failed),
                sum(deliveries * delivered),
                sum(deliveries * displayed),
                sum(deliveries * opened),
                sum(deliveries * replied),
                sum(deliveries * dismissed),
                sum(deliveries * read),
                sum(deliveries * responded),
                sum(deliveries * converted_events),
                sum(deliveries * replaced),
                sum(deliveries * refused),
                sum(deliveries * locally_sent),
                sum(deliveries * only_locally_sent),
                app_version
            from modes
            cross join lateral afterpush.states(kinds)
            group by
                app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
                platform, is_sent, is_confirmed, action_ids
        )
        select row(s.*)::afterpush.rollup_app_versions
        from summed as s
    );
end
$$;
comment on function afterpush.app_version_deltas is 'How a change of deliveries changes rollup_app_versions.';
