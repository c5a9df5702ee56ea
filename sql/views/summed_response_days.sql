-- What rollup_response_days must hold: rollup_responses, summed over hours and app versions, as running totals for each
-- clock and ending of the observation. rollup_verify compares the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_response_days as
select
    app_id, verified, anchor_day, campaign_id, variant, category_id, platform,
    coalesce(max(deliveries) filter (where totals = 'deliveries'), 0)::integer as deliveries,
    coalesce(max(places) filter (where totals = 'confirmed_times'), '{}') as confirmed_times,
    coalesce(max(places) filter (where totals = 'confirmed_ended'), '{}') as confirmed_ended,
    coalesce(max(places) filter (where totals = 'confirmed_open'), '{}') as confirmed_open,
    coalesce(max(places) filter (where totals = 'sent_times'), '{}') as sent_times,
    coalesce(max(places) filter (where totals = 'sent_ended'), '{}') as sent_ended,
    coalesce(max(places) filter (where totals = 'sent_open'), '{}') as sent_open
from (
    select
        app_id, verified, anchor_day, campaign_id, variant, category_id, platform, totals,
        sum(deliveries) as deliveries,
        afterpush.running_totals_of(array_agg(place order by place), array_agg(deliveries order by place)) as places
    from (
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, platform, totals, place,
            sum(deliveries) as deliveries
        from (
            select
                app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
                platform, confirmed_time, sent_time, sum(deliveries)::integer as deliveries
            from afterpush.rollup_responses
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        ) as timed
        cross join lateral afterpush.observed_places(anchor_day, confirmed_time, sent_time)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) as placed
    group by 1, 2, 3, 4, 5, 6, 7, 8
) as totalled
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.summed_response_days is
    'What rollup_response_days must hold, summed from rollup_responses.';
