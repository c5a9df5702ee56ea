-- What rollup_values must hold, computed from all deliveries and their values. rollup_verify compares the two.
create or replace view afterpush.expected_values as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, currency,
    afterpush.is_sent(kinds) as is_sent, afterpush.is_confirmed(kinds) as is_confirmed,
    afterpush.device_bucket(delivery_id)::smallint as device_bucket,
    count(*) as deliveries, sum(value) as value, sum(value * value) as squares
from (
    select
        d.app_id, false as verified, d.anchor_hour, d.campaign_id, d.variant, d.category_id, d.platform, d.app_version,
        v.currency, d.kinds, d.delivery_id, v.value
    from afterpush.delivery_values as v
    join afterpush.keyed_deliveries as d using (delivery_id)
    union all
    select
        d.app_id, true, d.anchor_hour, verified_campaign_id, verified_variant, verified_category_id, verified_platform,
        verified_app_version, v.currency, d.verified_kinds, d.delivery_id, v.verified_value
    from afterpush.delivery_values as v
    join afterpush.keyed_deliveries as d using (delivery_id)
    cross join lateral afterpush.verified_names(
        d.verified_dimensions, d.platform, d.app_version, d.campaign_id, d.variant, d.category_id, 0
    )
    where v.verified_value is not null
) as modes
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
comment on view afterpush.expected_values is 'What rollup_values must hold, computed from all deliveries.';
