-- How a change of deliveries changes rollup_response_counts: one row per key that changes.
--
-- shapes: the change; see delivery_shape.
--
-- A delivery is counted by all its events, and by the verified ones, under the dimensions that these state: in one row
-- if that and how long it was observed are the same.
create or replace function afterpush.response_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_response_counts[]
language plpgsql stable
as $$
begin
    return array(
        with compared as materialized (
            select
                s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.platform, s.app_version,
                s.confirmed_time, s.sent_time, s.verified_confirmed_time, s.verified_sent_time, s.deliveries, v.*,
                (
                    s.confirmed_time, s.sent_time, s.app_version, s.campaign_id, s.variant, s.category_id, s.platform
                ) = (
                    s.verified_confirmed_time, s.verified_sent_time, v.verified_app_version, v.verified_campaign_id,
                    v.verified_variant, v.verified_category_id, v.verified_platform
                ) as is_same
            from unnest(shapes) as s
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
                app_id, 2, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
                verified_platform, verified_app_version, verified_confirmed_time, verified_sent_time, deliveries
            from compared
            where greatest(verified_confirmed_time, verified_sent_time) > -3
              and not is_same
        ),
        summed as (
            select
                app_id, modes::smallint, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                confirmed_time, sent_time, sum(deliveries)::integer
            from counted
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
            having sum(deliveries) <> 0
        )
        select row(s.*)::afterpush.rollup_response_counts
        from summed as s
    );
end
$$;
comment on function afterpush.response_deltas is 'How a change of deliveries changes rollup_response_counts.';
