-- Adds deltas to rollup_response_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_responses. Here they are summed over the hours of a day and app versions; the buckets become
-- running totals (see running_totals.sql).
create or replace function afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with by_bucket as (
        select
            app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
            sum(deliveries) as deliveries,
            sum(verified_deliveries) as verified_deliveries
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    added as (
        insert into afterpush.rollup_response_days as r
        select
            app_id, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries), sum(verified_deliveries),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)),
            afterpush.running_totals_of(
                array_agg(bucket order by bucket), array_agg(verified_deliveries order by bucket)
            )
        from by_bucket
        group by 1, 2, 3, 4, 5, 6
        order by 1, 3, 2, 4, 5, 6
        on conflict (app_id, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries,
            times = afterpush.add_running_totals(r.times, excluded.times),
            verified_times = afterpush.add_running_totals(r.verified_times, excluded.verified_times)
        returning r.ctid as stored_row, r.deliveries, r.verified_deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0 and verified_deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_response_days is 'Adds deltas to rollup_response_days.';
