-- How a change of deliveries changes rollup_app_version_counts: one row per key that changes.
--
-- shapes: the change; see delivery_shape.
--
-- Each delivery is counted by all its events, and by its verified ones if it has any, under the dimensions that these
-- state: in one row if that is the same.
create or replace function afterpush.app_version_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_app_version_counts[]
language plpgsql stable
as $$
begin
    return array(
        with named as (
            select
                s.app_id, s.anchor_hour, s.app_version, s.campaign_id, s.variant, s.category_id, s.category_version,
                s.platform, s.kinds, s.verified_kinds, s.deliveries, v.*,
                coalesce((s.actions).action_ids, '{}') as action_ids,
                case
                    when s.actions is null then '{}'
                    else array(
                        select a.action_id
                        from unnest((s.actions).action_ids, (s.actions).verified_events) as a (action_id, events)
                        where a.events > 0
                    )
                end as verified_action_ids
            from unnest(shapes) as s
            cross join lateral afterpush.verified_names(
                s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
                s.category_version
            ) as v
            -- So that the arrays are made once.
            offset 0
        ),
        compared as (
            select
                *,
                (
                    kinds, action_ids, app_version, campaign_id, variant, category_id, category_version, platform
                ) = (
                    verified_kinds, verified_action_ids, verified_app_version, verified_campaign_id, verified_variant,
                    verified_category_id, verified_category_version, verified_platform
                ) as is_same
            from named
        ),
        counted as (
            select
                app_id, case when is_same then 3 else 1 end as modes, anchor_hour, campaign_id, variant, category_id,
                category_version, platform, app_version, kinds, action_ids, deliveries,
                (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
                afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
            from compared
            union all
            select
                app_id, 2, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
                verified_category_version, verified_platform, verified_app_version, verified_kinds,
                verified_action_ids, deliveries, 0, 0
            from compared
            where verified_kinds <> 0
              and not is_same
        ),
        summed as (
            select
                app_id, modes::smallint, anchor_hour, campaign_id, variant, category_id, category_version, platform,
                is_sent, is_confirmed, action_ids,
                sum(deliveries)::integer,
                sum(deliveries * failed)::integer,
                sum(deliveries * delivered)::integer,
                sum(deliveries * displayed)::integer,
                sum(deliveries * opened)::integer,
                sum(deliveries * replied)::integer,
                sum(deliveries * dismissed)::integer,
                sum(deliveries * read)::integer,
                sum(deliveries * responded)::integer,
                sum(deliveries * converted_events)::integer,
                sum(deliveries * replaced)::integer,
                sum(deliveries * refused)::integer,
                sum(deliveries * locally_sent)::integer,
                sum(deliveries * only_locally_sent)::integer,
                app_version
            from counted
            cross join lateral afterpush.states(kinds)
            group by
                app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
                is_sent, is_confirmed, action_ids
        )
        select row(s.*)::afterpush.rollup_app_version_counts
        from summed as s
    );
end
$$;
comment on function afterpush.app_version_deltas is 'How a change of deliveries changes rollup_app_version_counts.';
