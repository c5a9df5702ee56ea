-- Recomputes rollup_response_counts for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes.
create or replace function afterpush.rebuild_rollup_responses(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_response_counts (like afterpush.rollup_response_counts) on commit drop;
    insert into pg_temp.fresh_response_counts
    with compared as (
        select
            s.*, v.*,
            (
                s.confirmed_time, s.sent_time, s.app_version, s.campaign_id, s.variant, s.category_id, s.platform
            ) = (
                s.verified_confirmed_time, s.verified_sent_time, v.verified_app_version, v.verified_campaign_id,
                v.verified_variant, v.verified_category_id, v.verified_platform
            ) as is_same
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
    ),
    counted as (
        select
            app_id, case when is_same then 3 else 1 end as modes, anchor_hour, campaign_id, variant, category_id,
            platform, app_version, confirmed_time, sent_time, deliveries
        from compared
        where greatest(confirmed_time, sent_time) > -3
        union all
        select
            app_id, 2, anchor_hour, verified_campaign_id, verified_variant, verified_category_id, verified_platform,
            verified_app_version, verified_confirmed_time, verified_sent_time, deliveries
        from compared
        where greatest(verified_confirmed_time, verified_sent_time) > -3
          and not is_same
    )
    select
        app_id, modes, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time,
        sent_time, sum(deliveries)
    from counted
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
    perform afterpush.replace_rows(
        'afterpush.rollup_response_counts', 'pg_temp.fresh_response_counts', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_responses is
    'Recomputes rollup_response_counts for hours that are not sealed.';
