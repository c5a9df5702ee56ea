-- Deliveries as rollups count them: each by all its events (verified is false), and once more by its verified events if
-- it has any (verified is true), with the dimensions that these state.
--
-- kinds, reached_at and the actions are those of the respective events. action_ids, action_times and action_events are
-- parallel: the actions, when each was taken first, and by how many events.
-- locally_sent       1 if only unverified events say that the delivery was sent: local triggers
-- only_locally_sent  1 if nothing else is known of it
create or replace view afterpush.delivery_modes as
select
    app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    kinds,
    array(select a.action_id from unnest(actions) as a) as action_ids,
    array(select least(a.unverified_first_at, a.verified_first_at) from unnest(actions) as a) as action_times,
    array(select a.unverified_events + a.verified_events from unnest(actions) as a) as action_events,
    reached_at,
    (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent,
    afterpush.is_only_locally_sent(kinds, verified_kinds)::integer as only_locally_sent
from afterpush.keyed_deliveries
union all
select
    app_id, true, anchor_hour, verified_app_version, verified_campaign_id, verified_variant, verified_category_id,
    verified_category_version, verified_platform,
    verified_kinds,
    array(select a.action_id from unnest(actions) as a where a.verified_events > 0),
    array(select a.verified_first_at from unnest(actions) as a where a.verified_events > 0),
    array(select a.verified_events from unnest(actions) as a where a.verified_events > 0),
    verified_reached_at,
    0,
    0
from afterpush.keyed_deliveries
cross join lateral afterpush.verified_names(
    verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
)
where verified_kinds <> 0;
comment on view afterpush.delivery_modes is
    'Each delivery by all its events, and by its verified events if it has any.';
