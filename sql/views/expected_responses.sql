-- What rollup_responses must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_responses as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time, sent_time,
    count(*)::integer as deliveries
from (
    select
        app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
        confirmed_time, sent_time
    from afterpush.keyed_deliveries
    union all
    select
        app_id, true, anchor_hour, verified_campaign_id, verified_variant, verified_category_id, verified_platform,
        verified_app_version, verified_confirmed_time, verified_sent_time
    from afterpush.keyed_deliveries
    cross join lateral afterpush.verified_names(
        verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
    )
) as modes
where greatest(confirmed_time, sent_time) > -3
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
comment on view afterpush.expected_responses is 'What rollup_responses must hold, computed from all deliveries.';
