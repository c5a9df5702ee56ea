-- What rollup_responses must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_responses as
select
    app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
    sum(deliveries)::integer as deliveries,
    sum(verified_deliveries)::integer as verified_deliveries
from (
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
        afterpush.response_bucket(responded_at, reached_at) as bucket, 1 as deliveries, 0 as verified_deliveries
    from afterpush.keyed_deliveries
    where responded_at is not null
    union all
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
        afterpush.response_bucket(verified_responded_at, verified_reached_at), 0, 1
    from afterpush.keyed_deliveries
    where verified_responded_at is not null
) as modes
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.expected_responses is 'What rollup_responses must hold, computed from all deliveries.';
