-- Recomputes rollup_responses for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- It reads the temporary table delivery_shapes that rollup_rebuild makes.
create or replace function afterpush.rebuild_rollup_responses(sealed timestamptz) returns void
language plpgsql
as $$
begin
    create temporary table fresh_responses (like afterpush.rollup_responses) on commit drop;
    insert into pg_temp.fresh_responses
    with modes as (
        select
            s.*, response_bucket as bucket, deliveries as all_deliveries,
            case when verified_response_bucket = response_bucket then deliveries else 0 end as verified_deliveries
        from pg_temp.delivery_shapes as s
        where response_bucket is not null
        union all
        select s.*, verified_response_bucket, 0, deliveries
        from pg_temp.delivery_shapes as s
        where verified_response_bucket is distinct from response_bucket
          and verified_response_bucket is not null
    )
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
        sum(all_deliveries), sum(verified_deliveries)
    from modes
    group by 1, 2, 3, 4, 5, 6, 7, 8;
    perform afterpush.replace_rows(
        'afterpush.rollup_responses', 'pg_temp.fresh_responses', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_responses is
    'Recomputes rollup_responses for hours that are not sealed.';
