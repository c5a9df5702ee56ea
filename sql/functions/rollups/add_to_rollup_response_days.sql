-- Adds deltas to rollup_response_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_response_counts. Here they are summed over the hours of a day and app versions, and become
-- running totals (see running_totals.sql), for each clock and ending of the observation (function observed_places).
create or replace function afterpush.add_to_rollup_response_days(deltas afterpush.rollup_response_counts[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with by_place as (
        select
            app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform,
            totals, place, sum(deliveries) as deliveries
        from unnest(deltas)
        join afterpush.count_modes() using (modes)
        cross join lateral afterpush.observed_places(afterpush.day_of(anchor_hour), confirmed_time, sent_time)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        having sum(deliveries) <> 0
    ),
    totalled as (
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, platform, totals,
            sum(deliveries) as deliveries,
            afterpush.running_totals_of(
                array_agg(place order by place), array_agg(deliveries order by place)
            ) as places
        from by_place
        group by 1, 2, 3, 4, 5, 6, 7, 8
    ),
    added as (
        insert into afterpush.rollup_response_days as r
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, platform,
            coalesce(max(deliveries) filter (where totals = 'deliveries'), 0),
            coalesce(max(places) filter (where totals = 'confirmed_times'), '{}'),
            coalesce(max(places) filter (where totals = 'confirmed_ended'), '{}'),
            coalesce(max(places) filter (where totals = 'confirmed_open'), '{}'),
            coalesce(max(places) filter (where totals = 'sent_times'), '{}'),
            coalesce(max(places) filter (where totals = 'sent_ended'), '{}'),
            coalesce(max(places) filter (where totals = 'sent_open'), '{}')
        from totalled
        group by 1, 2, 3, 4, 5, 6, 7
        order by 1, 2, 4, 3, 5, 6, 7
        on conflict (app_id, verified, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            confirmed_times = afterpush.add_running_totals(r.confirmed_times, excluded.confirmed_times),
            confirmed_ended = afterpush.add_running_totals(r.confirmed_ended, excluded.confirmed_ended),
            confirmed_open = afterpush.add_running_totals(r.confirmed_open, excluded.confirmed_open),
            sent_times = afterpush.add_running_totals(r.sent_times, excluded.sent_times),
            sent_ended = afterpush.add_running_totals(r.sent_ended, excluded.sent_ended),
            sent_open = afterpush.add_running_totals(r.sent_open, excluded.sent_open)
        returning
            r.ctid as stored_row,
            r.deliveries = 0
                and cardinality(r.confirmed_ended || r.confirmed_open || r.sent_ended || r.sent_open) = 0 as is_empty
    )
    select array_agg(stored_row) into emptied from added where is_empty;

    if emptied is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_response_days is 'Adds deltas to rollup_response_days.';
