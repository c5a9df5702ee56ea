-- Recomputes rollup_action_counts for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes.
create or replace function afterpush.rebuild_rollup_actions(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_action_counts (like afterpush.rollup_action_counts) on commit drop;
    insert into pg_temp.fresh_action_counts
    with acted as (
        select
            s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.category_version, s.platform,
            afterpush.is_sent(s.kinds) as is_sent, afterpush.is_confirmed(s.kinds) as is_confirmed, v.*,
            afterpush.is_sent(s.verified_kinds) as is_verified_sent,
            afterpush.is_confirmed(s.verified_kinds) as is_verified_confirmed,
            a.*, s.verified_kinds <> 0 and a.verified_events > 0 as is_verified, s.deliveries
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
        cross join unnest(
            (s.actions).action_ids, (s.actions).buckets, (s.actions).events, (s.actions).verified_buckets,
            (s.actions).verified_events
        ) as a (action_id, bucket, events, verified_bucket, verified_events)
        where s.actions is not null
    ),
    compared as (
        select
            *,
            is_verified and (
                campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, bucket, events
            ) = (
                verified_campaign_id, verified_variant, verified_category_id, verified_category_version,
                verified_platform, is_verified_sent, is_verified_confirmed, verified_bucket, verified_events
            ) as is_same
        from acted
    ),
    counted as (
        select
            app_id, case when is_same then 3 else 1 end as modes, anchor_hour, campaign_id, variant, category_id,
            category_version, platform, is_sent, is_confirmed, action_id, bucket, events, deliveries
        from compared
        union all
        select
            app_id, 2, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
            verified_category_version, verified_platform, is_verified_sent, is_verified_confirmed, action_id,
            verified_bucket, verified_events, deliveries
        from compared
        where is_verified
          and not is_same
    )
    select
        app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, action_id, bucket, sum(deliveries), sum(deliveries * events)
    from counted
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows(
        'afterpush.rollup_action_counts', 'pg_temp.fresh_action_counts', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_actions is
    'Recomputes rollup_action_counts for hours that are not sealed.';
