-- The deliveries that were acted on, by day and set of actions. Only `unconverted` counts: everything else about these
-- deliveries is in delivery_days. The columns are those of delivery_days.
create or replace view afterpush.delivery_action_days with (security_invoker = true) as
select
    'delivery_action_days' as source, app_id, verified, anchor_day as hour,
    campaign_id, variant, category_id, category_version, platform, ''::text collate "C" as app_version,
    actions,
    0 as deliveries, 0 as deliveries_sent, 0 as deliveries_confirmed, 0 as deliveries_both,
    0 as failed, 0 as delivered, 0 as delivered_sent, 0 as displayed,
    0 as opened, 0 as opened_sent, 0 as opened_confirmed,
    0 as acted, 0 as acted_sent, 0 as acted_confirmed,
    0 as replied, 0 as replied_sent, 0 as replied_confirmed,
    0 as dismissed, 0 as dismissed_sent, 0 as dismissed_confirmed,
    0 as read, 0 as read_sent, 0 as read_confirmed,
    0 as responded, 0 as responded_sent, 0 as responded_confirmed,
    0 as replaced, 0 as replaced_sent, 0 as replaced_confirmed,
    0 as refused, 0 as refused_sent,
    0 as converted_events, 0 as converted_events_sent, 0 as converted_events_confirmed,
    deliveries as unconverted, deliveries_sent as unconverted_sent, deliveries_confirmed as unconverted_confirmed,
    0 as declared_sends
from afterpush.rollup_goal_days;
comment on view afterpush.delivery_action_days is
    'Deliveries that were acted on without a converted event, by day and set of actions.';
