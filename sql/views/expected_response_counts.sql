-- What rollup_response_counts must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_response_counts as
with compared as (
    select
        d.*, v.*,
        (
            d.confirmed_time, d.sent_time, d.app_version, d.campaign_id, d.variant, d.category_id, d.platform
        ) = (
            d.verified_confirmed_time, d.verified_sent_time, v.verified_app_version, v.verified_campaign_id,
            v.verified_variant, v.verified_category_id, v.verified_platform
        ) as is_same
    from afterpush.keyed_deliveries as d
    cross join lateral afterpush.verified_names(
        d.verified_dimensions, d.platform, d.app_version, d.campaign_id, d.variant, d.category_id, d.category_version
    ) as v
),
counted as (
    select
        app_id, case when is_same then 3 else 1 end::smallint as modes, anchor_hour, campaign_id, variant, category_id,
        platform, app_version, confirmed_time, sent_time
    from compared
    union all
    select
        app_id, 2::smallint, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
        verified_platform, verified_app_version, verified_confirmed_time, verified_sent_time
    from compared
    where not is_same
)
select
    app_id, modes, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time, sent_time,
    count(*)::integer as deliveries
from counted
where greatest(confirmed_time, sent_time) > -3
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
comment on view afterpush.expected_response_counts is
    'What rollup_response_counts must hold, computed from all deliveries.';
