-- Adds deltas to rollup_campaign_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_app_version_counts; they are summed by campaign and day here.
create or replace function afterpush.add_to_rollup_campaign_days(deltas afterpush.rollup_app_version_counts[])
returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_campaign_days as r
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id,
            sum(deliveries),
            coalesce(sum(deliveries) filter (where is_sent), 0),
            coalesce(sum(deliveries) filter (where is_confirmed), 0),
            sum(locally_sent),
            sum(only_locally_sent)
        from unnest(deltas)
        join afterpush.count_modes() using (modes)
        group by 1, 2, 3, 4
        -- What changes only other states of deliveries changes nothing here.
        having sum(deliveries) <> 0
            or coalesce(sum(deliveries) filter (where is_sent), 0) <> 0
            or coalesce(sum(deliveries) filter (where is_confirmed), 0) <> 0
            or sum(locally_sent) <> 0
            or sum(only_locally_sent) <> 0
        order by 1, 2, 4, 3
        on conflict (app_id, verified, campaign_id, anchor_day) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            locally_sent = r.locally_sent + excluded.locally_sent,
            only_locally_sent = r.only_locally_sent + excluded.only_locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_campaign_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_campaign_days is 'Adds deltas to rollup_campaign_days.';
