-- The same as rollup_deliveries by version of the app as well, from rollup_app_version_counts.
create or replace view afterpush.rollup_app_versions with (security_invoker = true) as
select
    c.app_id, m.verified, c.anchor_hour, c.campaign_id, c.variant, c.category_id, c.category_version, c.platform,
    c.is_sent, c.is_confirmed, c.actions, c.deliveries, c.failed, c.delivered, c.displayed, c.opened, c.replied,
    c.dismissed, c.read, c.responded, c.converted_events, c.replaced, c.refused, c.locally_sent,
    c.only_locally_sent, c.app_version
from afterpush.count_modes() as m
join afterpush.rollup_app_version_counts as c using (modes);
comment on view afterpush.rollup_app_versions is 'Deliveries in each state, by dimension, app version and anchor hour.';
