-- Deliveries as rollups count them: each by all its events, and by its verified events if it has any, with the
-- dimensions that these state. It has one row if that is the same (function count_modes).
--
-- kinds and action_ids are those of the respective events.
-- locally_sent       1 if only unverified events say that the delivery was sent: local triggers
-- only_locally_sent  1 if nothing else is known of it
create or replace view afterpush.delivery_modes as
with compared as (
    select
        d.*, v.*,
        (
            d.kinds, d.app_version, d.campaign_id, d.variant, d.category_id, d.category_version, d.platform
        ) = (
            d.verified_kinds, v.verified_app_version, v.verified_campaign_id, v.verified_variant,
            v.verified_category_id, v.verified_category_version, v.verified_platform
        ) and not exists (select from unnest(d.actions) as a where a.verified_events = 0) as is_same
    from afterpush.keyed_deliveries as d
    cross join lateral afterpush.verified_names(
        d.verified_dimensions, d.platform, d.app_version, d.campaign_id, d.variant, d.category_id, d.category_version
    ) as v
)
select
    app_id, case when is_same then 3 else 1 end::smallint as modes, anchor_hour, app_version, campaign_id, variant,
    category_id, category_version, platform, kinds,
    array(select a.action_id from unnest(actions) as a) as action_ids,
    (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
    afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
from compared
union all
select
    app_id, 2::smallint, anchor_hour, verified_app_version, verified_campaign_id, verified_variant,
    verified_category_id, verified_category_version, verified_platform, verified_kinds,
    array(select a.action_id from unnest(actions) as a where a.verified_events > 0),
    0,
    0
from compared
where verified_kinds <> 0
  and not is_same;
comment on view afterpush.delivery_modes is
    'Each delivery by all its events, and by its verified events if it has any.';
