-- What rollup_campaign_days must hold: rollup_delivery_days, summed over everything but campaigns and days. rollup_verify
-- compares the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_campaign_days as
select
    app_id, verified, anchor_day, campaign_id,
    sum(deliveries)::integer as deliveries,
    sum(deliveries_sent)::integer as deliveries_sent,
    sum(deliveries_confirmed)::integer as deliveries_confirmed,
    sum(locally_sent)::integer as locally_sent,
    sum(only_locally_sent)::integer as only_locally_sent
from afterpush.rollup_delivery_days
group by 1, 2, 3, 4;
comment on view afterpush.summed_campaign_days is
    'What rollup_campaign_days must hold, summed from rollup_delivery_days.';
