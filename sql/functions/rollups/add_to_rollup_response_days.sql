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
            app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform,
            bucket, sum(deliveries) as deliveries
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8
    ),
    added as (
        insert into afterpush.rollup_response_days as r
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from by_bucket
        group by 1, 2, 3, 4, 5, 6, 7
        order by 1, 2, 4, 3, 5, 6, 7
        on conflict (app_id, verified, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            times = afterpush.add_running_totals(r.times, excluded.times)
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_response_days is 'Adds deltas to rollup_response_days.';
