-- What rollup_action_days must hold: rollup_actions, summed over hours, platforms and states; the buckets become
-- running totals. rollup_verify compares the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_action_days as
select
    app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
    sum(deliveries)::integer as deliveries,
    sum(deliveries_sent)::integer as deliveries_sent,
    sum(deliveries_confirmed)::integer as deliveries_confirmed,
    sum(events)::integer as events,
    afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
from (
    select
        app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
        category_version, action_id, bucket,
        sum(deliveries)::bigint as deliveries,
        coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
        coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
        sum(events) as events
    from afterpush.rollup_actions
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
) as timed
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.summed_action_days is 'What rollup_action_days must hold, summed from rollup_actions.';
