-- What rollup_action_counts must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_action_counts as
with acted as (
    select
        d.app_id, d.anchor_hour, d.campaign_id, d.variant, d.category_id, d.category_version, d.platform,
        afterpush.is_sent(d.kinds) as is_sent, afterpush.is_confirmed(d.kinds) as is_confirmed, v.*,
        afterpush.is_sent(d.verified_kinds) as is_verified_sent,
        afterpush.is_confirmed(d.verified_kinds) as is_verified_confirmed,
        a.action_id collate "default" as action_id,
        afterpush.time_bucket(least(a.unverified_first_at, a.verified_first_at) - d.reached_at) as bucket,
        afterpush.time_bucket(a.verified_first_at - d.verified_reached_at) as verified_bucket,
        a.unverified_events + a.verified_events as events, a.verified_events,
        d.verified_kinds <> 0 and a.verified_events > 0 as is_verified
    from afterpush.keyed_deliveries as d
    cross join lateral afterpush.verified_names(
        d.verified_dimensions, d.platform, d.app_version, d.campaign_id, d.variant, d.category_id, d.category_version
    ) as v
    cross join unnest(d.actions) as a
),
compared as (
    select
        *,
        is_verified and (
            campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, bucket, events
        ) = (
            verified_campaign_id, verified_variant, verified_category_id, verified_category_version, verified_platform,
            is_verified_sent, is_verified_confirmed, verified_bucket, verified_events
        ) as is_same
    from acted
),
counted as (
    select
        app_id, case when is_same then 3 else 1 end::smallint as modes, anchor_hour, campaign_id, variant, category_id,
        category_version, platform, is_sent, is_confirmed, action_id, bucket, events
    from compared
    union all
    select
        app_id, 2::smallint, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
        verified_category_version, verified_platform, is_verified_sent, is_verified_confirmed, action_id,
        verified_bucket, verified_events
    from compared
    where is_verified
      and not is_same
)
select
    app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    action_id, bucket, count(*)::integer as deliveries, sum(events)::bigint as events
from counted
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
comment on view afterpush.expected_action_counts is
    'What rollup_action_counts must hold, computed from all deliveries.';
