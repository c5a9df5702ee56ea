-- What rollup_goal_days must hold: rollup_deliveries, summed over hours and states. It counts deliveries with an action
-- and without a converted event, by the set of their actions. rollup_verify compares the two, and rollup_rebuild stores
-- this.
create or replace view afterpush.summed_goal_days as
select
    app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
    platform, actions,
    sum(deliveries - converted_events)::integer as deliveries,
    coalesce(sum(deliveries - converted_events) filter (where is_sent), 0)::integer as deliveries_sent,
    coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)::integer as deliveries_confirmed
from afterpush.rollup_deliveries
where cardinality(actions) > 0
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
having sum(deliveries - converted_events) > 0;
comment on view afterpush.summed_goal_days is 'What rollup_goal_days must hold, summed from rollup_deliveries.';
