-- Adds deltas to rollup_action_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_action_counts. Here they are summed over the hours of a day, platforms and states; the buckets
-- become running totals (see running_totals.sql).
create or replace function afterpush.add_to_rollup_action_days(deltas afterpush.rollup_action_counts[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with by_bucket as (
        select
            app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
            category_version, action_id, bucket,
            sum(deliveries)::bigint as deliveries,
            coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
            coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
            sum(events) as events
        from unnest(deltas)
        join afterpush.count_modes() using (modes)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ),
    added as (
        insert into afterpush.rollup_action_days as r
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
            sum(deliveries), sum(deliveries_sent), sum(deliveries_confirmed), sum(events),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from by_bucket
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            events = r.events + excluded.events,
            times = afterpush.add_running_totals(r.times, excluded.times)
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_action_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_action_days is 'Adds deltas to rollup_action_days.';
