-- Deliveries with an action, by dimension, anchor hour, action and time to the action, from rollup_action_counts. The
-- columns are those of rollup_deliveries.
create or replace view afterpush.rollup_actions with (security_invoker = true) as
select
    c.app_id, m.verified, c.anchor_hour, c.campaign_id, c.variant, c.category_id, c.category_version, c.platform,
    c.is_sent, c.is_confirmed, c.action_id, c.bucket, c.deliveries, c.events
from afterpush.count_modes() as m
join afterpush.rollup_action_counts as c using (modes);
comment on view afterpush.rollup_actions is 'Deliveries with an action, by action and time to the action.';
