-- Deliveries in each state, by dimension, set of actions and anchor hour, UTC, from rollup_delivery_counts.
--
-- Several rows can be of the same dimensions, so sum them. An unknown dimension is empty, and an unstated category
-- version is 0.
create or replace view afterpush.rollup_deliveries with (security_invoker = true) as
select
    c.app_id, m.verified, c.anchor_hour, c.campaign_id, c.variant, c.category_id, c.category_version, c.platform,
    c.is_sent, c.is_confirmed, c.actions, c.deliveries, c.failed, c.delivered, c.displayed, c.opened, c.replied,
    c.dismissed, c.read, c.responded, c.converted_events, c.replaced, c.refused, c.locally_sent, c.only_locally_sent
from afterpush.count_modes() as m
join afterpush.rollup_delivery_counts as c using (modes);
comment on view afterpush.rollup_deliveries is 'Deliveries in each state, by dimension and anchor hour.';
