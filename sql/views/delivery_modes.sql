-- Deliveries as rollups count them: each by all its events (verified is false), and once more by its verified events if
-- it has any (verified is true).
--
-- kinds, actions and reached_at are those of the respective events. Actions of verified events have their verified
-- times and numbers in the fields first_at and events.
create or replace view afterpush.delivery_modes as
select
    app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    kinds, actions, reached_at
from afterpush.keyed_deliveries
union all
select
    app_id, true, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    verified_kinds,
    array(
        select row(a.action_id, a.verified_first_at, a.verified_events, null, null)::afterpush.delivery_action
        from unnest(actions) as a
        where a.verified_events > 0
    ),
    verified_reached_at
from afterpush.keyed_deliveries
where verified_kinds <> 0;
comment on view afterpush.delivery_modes is
    'Each delivery by all its events, and by its verified events if it has any.';
