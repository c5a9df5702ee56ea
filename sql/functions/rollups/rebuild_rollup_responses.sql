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
            app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
            confirmed_time, sent_time, deliveries
        from pg_temp.delivery_shapes
        where greatest(confirmed_time, sent_time) > -3
        union all
        select
            s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
            v.verified_platform, v.verified_app_version, s.verified_confirmed_time, s.verified_sent_time, s.deliveries
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
        where greatest(s.verified_confirmed_time, s.verified_sent_time) > -3
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time,
        sent_time, sum(deliveries)
    from modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
    perform afterpush.replace_rows(
        'afterpush.rollup_responses', 'pg_temp.fresh_responses', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_rollup_responses is
    'Recomputes rollup_responses for hours that are not sealed.';
