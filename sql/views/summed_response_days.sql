-- What rollup_response_days must hold: rollup_responses, summed over hours and app versions; the buckets become running
-- totals. rollup_verify compares the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_response_days as
select
    app_id, verified, anchor_day, campaign_id, variant, category_id, platform,
    sum(deliveries)::integer as deliveries,
    afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
from (
    select
        app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform,
        bucket, sum(deliveries) as deliveries
    from afterpush.rollup_responses
    group by 1, 2, 3, 4, 5, 6, 7, 8
) as timed
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.summed_response_days is
    'What rollup_response_days must hold, summed from rollup_responses.';
