-- What rollup_actions must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_actions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
    is_sent, is_confirmed, action_id, bucket,
    count(*) as deliveries,
    sum(events) as events
from (
    select
        m.app_id, m.verified, m.anchor_hour, m.campaign_id, m.variant, m.category_id, m.category_version, m.platform,
        s.is_sent, s.is_confirmed, a.action_id collate "default" as action_id,
        afterpush.time_bucket(a.first_at - m.reached_at) as bucket, a.events
    from afterpush.delivery_modes as m
    cross join lateral afterpush.states(m.kinds) as s
    cross join unnest(m.action_ids, m.action_times, m.action_events) as a (action_id, first_at, events)
) as acted
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
comment on view afterpush.expected_actions is 'What rollup_actions must hold, computed from all deliveries.';
