-- How a change of deliveries changes rollup_responses: one row per group that changes, with signed sums.
--
-- shapes: the change; see delivery_shape.
--
-- The time to the first verified response may lie in another bucket than the time to the first response, so each is
-- counted in its own.
create or replace function afterpush.response_deltas(shapes afterpush.delivery_shape[])
returns afterpush.rollup_responses[]
language plpgsql stable
as $$
begin
    return array(
        with modes as (
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                response_bucket as bucket, deliveries, 0 as verified_deliveries
            from unnest(shapes)
            where response_bucket is not null
            union all
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                verified_response_bucket, 0, deliveries
            from unnest(shapes)
            where verified_response_bucket is not null
        ),
        summed as (
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
                sum(deliveries)::integer, sum(verified_deliveries)::integer
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8
            having sum(deliveries) <> 0
                or sum(verified_deliveries) <> 0
        )
        select row(s.*)::afterpush.rollup_responses
        from summed as s
    );
end
$$;
comment on function afterpush.response_deltas is 'How a change of deliveries changes rollup_responses.';
