-- How a change of deliveries changes rollup_responses: one row per group that changes, with signed sums.
--
-- shapes: the change; see delivery_shape.
--
-- A delivery is counted by all its events, and once more by the verified ones, under the dimensions that these state. How
-- long it was observed may differ, too.
create or replace function afterpush.response_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_responses[]
language plpgsql stable
as $$
begin
    return array(
        with modes as (
            select
                app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                confirmed_time, sent_time, deliveries
            from unnest(shapes)
            where greatest(confirmed_time, sent_time) > -3
            union all
            select
                app_id, true, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
                verified_platform, verified_app_version, verified_confirmed_time, verified_sent_time, deliveries
            from unnest(shapes)
            cross join lateral afterpush.verified_names(
                verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
            )
            where greatest(verified_confirmed_time, verified_sent_time) > -3
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time,
                sent_time, sum(deliveries)::integer
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
            having sum(deliveries) <> 0
        )
        select row(s.*)::afterpush.rollup_responses
        from summed as s
    );
end
$$;
comment on function afterpush.response_deltas is 'How a change of deliveries changes rollup_responses.';
