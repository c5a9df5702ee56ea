-- Deliveries under each mode: by all their events, and by the verified ones alone if they have any.
create or replace view afterpush.delivery_modes as
select
    app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    kinds as bits, actions, reached_at
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
    'Each delivery by all its events and, if it has verified ones, by these alone.';
