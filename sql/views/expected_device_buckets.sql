-- What rollup_device_buckets must hold, computed from all deliveries. rollup_verify compares the two, and
-- rollup_rebuild stores this.
create or replace view afterpush.expected_device_buckets as
select
    app_id, mode as modes, anchor_day,
    case when mode = 2 then verified_campaign_id else campaign_id end as campaign_id,
    case when mode = 2 then verified_variant else variant end as variant,
    case when mode = 2 then verified_category_id else category_id end as category_id,
    case when mode = 2 then verified_category_version else category_version end as category_version,
    case when mode = 2 then verified_platform else platform end as platform,
    case when mode = 2 then verified_kinds else kinds end as kinds,
    case when mode = 2 then verified_actions else actions end as actions,
    afterpush.packed_buckets(string_agg(device, '')) as device_buckets
from (
    select
        app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
        platform,
        v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
        v.verified_platform,
        (campaign_id, variant, category_id, category_version, platform) = (
            v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
            v.verified_platform
        ) as has_verified_names,
        afterpush.rate_kinds(kinds) as kinds,
        afterpush.rate_kinds(verified_kinds) as verified_kinds,
        verified_kinds <> 0 as is_verified,
        array(select a.action_id from unnest(actions) as a) as actions,
        array(select a.action_id from unnest(actions) as a where a.verified_events > 0) as verified_actions,
        afterpush.device_byte(delivery_id) as device
    from afterpush.keyed_deliveries
    cross join lateral afterpush.verified_names(
        verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
    ) as v
    offset 0
) as d
cross join lateral unnest(
    case
        when not is_verified then '{1}'::smallint[]
        when kinds = verified_kinds and actions = verified_actions and has_verified_names then '{3}'
        else '{1,2}'
    end
) as mode
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
comment on view afterpush.expected_device_buckets is
    'What rollup_device_buckets must hold, computed from all deliveries.';
