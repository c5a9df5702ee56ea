-- How deliveries with a converted event count in rollup_values, by their values as stored (delivery_values): one row per
-- group, with signed sums.
--
-- converted: the deliveries; see converted_delivery.
-- sealed:    the start of the hours that are not sealed; deliveries of sealed hours are no longer counted.
--
-- A delivery is counted by the value of all its events, and once more by that of its verified ones, under the dimensions
-- that these state. merge_batches has changed the deliveries by then, so a caller computes what to subtract before it
-- changes values, and what to add afterwards.
create or replace function afterpush.value_deltas(converted afterpush.converted_delivery[], sealed timestamptz)
returns afterpush.rollup_values[]
language plpgsql stable
as $$
begin
    return array(
        with valued as materialized (
            select c.*, v.currency, v.value, v.verified_value
            from unnest(converted) as c
            join afterpush.delivery_values as v on v.delivery_id = c.delivery_id
            where c.anchor_hour >= sealed
              -- Such a delivery has values, but no report counts them.
              and not afterpush.is_held_out(c.kinds)
        ),
        modes as (
            select
                app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                currency, kinds, delivery_id, sign, value
            from valued
            union all
            select
                app_id, true, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
                verified_platform, verified_app_version, currency, verified_kinds, delivery_id, sign, verified_value
            from valued
            cross join lateral afterpush.verified_names(
                verified_dimensions, platform, app_version, campaign_id, variant, category_id, 0
            )
            where verified_value is not null
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, currency,
                afterpush.is_sent(kinds), afterpush.is_confirmed(kinds),
                afterpush.device_bucket(delivery_id)::smallint,
                sum(sign)::bigint, sum(sign * value), sum(sign * value * value)
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        )
        select row(s.*)::afterpush.rollup_values
        from summed as s
    );
end
$$;
comment on function afterpush.value_deltas is 'How deliveries with a converted event count in rollup_values.';

-- Some stored deliveries that may have a value, each with a sign; null if there are none. The rollups count kinds
-- without `converted` outside the conversion window, so it is not asked for here.
create or replace function afterpush.converted_deliveries(delivery_ids uuid[], sign integer)
returns afterpush.converted_delivery[]
language sql stable
as $$
    select array_agg(
        row(
            sign, delivery_id, app_id, anchor_hour, app_version, campaign_id, variant, category_id, platform,
            verified_dimensions, kinds, verified_kinds
        )::afterpush.converted_delivery
    )
    from afterpush.keyed_deliveries
    where delivery_id = any (delivery_ids)
$$;
comment on function afterpush.converted_deliveries is 'Some stored deliveries that may have a value, with a sign.';
