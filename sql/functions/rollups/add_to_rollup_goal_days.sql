-- Adds deltas to rollup_goal_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_app_version_counts. Here they are summed over the hours of a day, states and app versions, and
-- only deliveries with an action and without a converted event are counted.
create or replace function afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_version_counts[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_goal_days as r
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version,
            platform, actions,
            sum(deliveries - converted_events),
            coalesce(sum(deliveries - converted_events) filter (where is_sent), 0),
            coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)
        from unnest(deltas)
        join afterpush.count_modes() using (modes)
        where cardinality(actions) > 0
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        having sum(deliveries - converted_events) <> 0
            or sum(deliveries - converted_events) filter (where is_sent) <> 0
            or sum(deliveries - converted_events) filter (where is_confirmed) <> 0
        order by 1, 2, 4, 3, 5, 6, 7, 8, 9
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
            afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_goal_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_goal_days is 'Adds deltas to rollup_goal_days.';
