-- What rollup_delivery_days must hold: rollup_deliveries, summed over hours, states and actions. rollup_verify compares
-- the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_delivery_days as
select
    app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
    platform,
    sum(deliveries)::integer as deliveries,
    coalesce(sum(deliveries) filter (where is_sent), 0)::integer as deliveries_sent,
    coalesce(sum(deliveries) filter (where is_confirmed), 0)::integer as deliveries_confirmed,
    coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0)::integer as deliveries_both,
    sum(failed)::integer as failed,
    sum(delivered)::integer as delivered,
    coalesce(sum(delivered) filter (where is_sent), 0)::integer as delivered_sent,
    sum(displayed)::integer as displayed,
    sum(opened)::integer as opened,
    coalesce(sum(opened) filter (where is_sent), 0)::integer as opened_sent,
    coalesce(sum(opened) filter (where is_confirmed), 0)::integer as opened_confirmed,
    coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0)::integer as acted,
    coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0)::integer as acted_sent,
    coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0)::integer as acted_confirmed,
    sum(replied)::integer as replied,
    coalesce(sum(replied) filter (where is_sent), 0)::integer as replied_sent,
    coalesce(sum(replied) filter (where is_confirmed), 0)::integer as replied_confirmed,
    sum(dismissed)::integer as dismissed,
    coalesce(sum(dismissed) filter (where is_sent), 0)::integer as dismissed_sent,
    coalesce(sum(dismissed) filter (where is_confirmed), 0)::integer as dismissed_confirmed,
    sum(read)::integer as read,
    coalesce(sum(read) filter (where is_sent), 0)::integer as read_sent,
    coalesce(sum(read) filter (where is_confirmed), 0)::integer as read_confirmed,
    sum(responded)::integer as responded,
    coalesce(sum(responded) filter (where is_sent), 0)::integer as responded_sent,
    coalesce(sum(responded) filter (where is_confirmed), 0)::integer as responded_confirmed,
    sum(converted_events)::integer as converted_events,
    coalesce(sum(converted_events) filter (where is_sent), 0)::integer as converted_events_sent,
    coalesce(sum(converted_events) filter (where is_confirmed), 0)::integer as converted_events_confirmed,
    sum(replaced)::integer as replaced,
    coalesce(sum(replaced) filter (where is_sent), 0)::integer as replaced_sent,
    coalesce(sum(replaced) filter (where is_confirmed), 0)::integer as replaced_confirmed,
    sum(refused)::integer as refused,
    coalesce(sum(refused) filter (where is_sent), 0)::integer as refused_sent,
    sum(locally_sent)::integer as locally_sent,
    sum(only_locally_sent)::integer as only_locally_sent
from afterpush.rollup_deliveries
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.summed_delivery_days is
    'What rollup_delivery_days must hold, summed from rollup_deliveries.';
