-- Adds deltas to rollup_delivery_days, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_app_version_counts; they are summed over the hours of a day, states, actions and app versions
-- here.
create or replace function afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_version_counts[])
returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_delivery_days as r
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version,
            platform,
            sum(deliveries),
            coalesce(sum(deliveries) filter (where is_sent), 0),
            coalesce(sum(deliveries) filter (where is_confirmed), 0),
            coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0),
            sum(failed),
            sum(delivered),
            coalesce(sum(delivered) filter (where is_sent), 0),
            sum(displayed),
            sum(opened),
            coalesce(sum(opened) filter (where is_sent), 0),
            coalesce(sum(opened) filter (where is_confirmed), 0),
            coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0),
            coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0),
            coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0),
            sum(replied),
            coalesce(sum(replied) filter (where is_sent), 0),
            coalesce(sum(replied) filter (where is_confirmed), 0),
            sum(dismissed),
            coalesce(sum(dismissed) filter (where is_sent), 0),
            coalesce(sum(dismissed) filter (where is_confirmed), 0),
            sum(read),
            coalesce(sum(read) filter (where is_sent), 0),
            coalesce(sum(read) filter (where is_confirmed), 0),
            sum(responded),
            coalesce(sum(responded) filter (where is_sent), 0),
            coalesce(sum(responded) filter (where is_confirmed), 0),
            sum(converted_events),
            coalesce(sum(converted_events) filter (where is_sent), 0),
            coalesce(sum(converted_events) filter (where is_confirmed), 0),
            sum(replaced),
            coalesce(sum(replaced) filter (where is_sent), 0),
            coalesce(sum(replaced) filter (where is_confirmed), 0),
            sum(refused),
            coalesce(sum(refused) filter (where is_sent), 0),
            sum(locally_sent),
            sum(only_locally_sent)
        from unnest(deltas)
        join afterpush.count_modes() using (modes)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            deliveries_both = r.deliveries_both + excluded.deliveries_both,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            delivered_sent = r.delivered_sent + excluded.delivered_sent,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            opened_sent = r.opened_sent + excluded.opened_sent,
            opened_confirmed = r.opened_confirmed + excluded.opened_confirmed,
            acted = r.acted + excluded.acted,
            acted_sent = r.acted_sent + excluded.acted_sent,
            acted_confirmed = r.acted_confirmed + excluded.acted_confirmed,
            replied = r.replied + excluded.replied,
            replied_sent = r.replied_sent + excluded.replied_sent,
            replied_confirmed = r.replied_confirmed + excluded.replied_confirmed,
            dismissed = r.dismissed + excluded.dismissed,
            dismissed_sent = r.dismissed_sent + excluded.dismissed_sent,
            dismissed_confirmed = r.dismissed_confirmed + excluded.dismissed_confirmed,
            read = r.read + excluded.read,
            read_sent = r.read_sent + excluded.read_sent,
            read_confirmed = r.read_confirmed + excluded.read_confirmed,
            responded = r.responded + excluded.responded,
            responded_sent = r.responded_sent + excluded.responded_sent,
            responded_confirmed = r.responded_confirmed + excluded.responded_confirmed,
            converted_events = r.converted_events + excluded.converted_events,
            converted_events_sent = r.converted_events_sent + excluded.converted_events_sent,
            converted_events_confirmed = r.converted_events_confirmed + excluded.converted_events_confirmed,
            replaced = r.replaced + excluded.replaced,
            replaced_sent = r.replaced_sent + excluded.replaced_sent,
            replaced_confirmed = r.replaced_confirmed + excluded.replaced_confirmed,
            refused = r.refused + excluded.refused,
            refused_sent = r.refused_sent + excluded.refused_sent,
            locally_sent = r.locally_sent + excluded.locally_sent,
            only_locally_sent = r.only_locally_sent + excluded.only_locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_delivery_days where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_delivery_days is 'Adds deltas to rollup_delivery_days.';
