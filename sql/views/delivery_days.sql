-- Deliveries by day, as report_counts reads them. The views delivery_days, delivery_action_days, delivery_hours,
-- delivery_app_versions and declared_sends have the same columns, in the same order, so that a statement can read rows
-- of any of them together; `source` says which one a row comes from.
--
-- A column named after a state counts the deliveries in it. With `_sent` or `_confirmed` it counts those that are also
-- in state sent or confirmed. `refused` deliveries are in state failed and not in state replaced. `unconverted`
-- deliveries have no `converted` event: they have converted if one of `actions` is a goal. Days have no sets of
-- actions; these are in delivery_action_days.
create or replace view afterpush.delivery_days with (security_invoker = true) as
select
    'delivery_days' as source, app_id, verified, anchor_day as hour,
    campaign_id, variant, category_id, category_version, platform, ''::text collate "C" as app_version,
    '{}'::text[] collate "C" as actions,
    deliveries, deliveries_sent, deliveries_confirmed, deliveries_both,
    failed, delivered, delivered_sent, displayed,
    opened, opened_sent, opened_confirmed,
    acted, acted_sent, acted_confirmed,
    replied, replied_sent, replied_confirmed,
    dismissed, dismissed_sent, dismissed_confirmed,
    read, read_sent, read_confirmed,
    responded, responded_sent, responded_confirmed,
    replaced, replaced_sent, replaced_confirmed,
    refused, refused_sent,
    converted_events, converted_events_sent, converted_events_confirmed,
    0 as unconverted, 0 as unconverted_sent, 0 as unconverted_confirmed,
    0 as declared_sends
from afterpush.rollup_delivery_days;
comment on view afterpush.delivery_days is 'Deliveries by day, without their actions.';
