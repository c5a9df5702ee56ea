-- Adds deltas to rollup_delivery_counts, in the order of its key, and deletes the rows that became zero.
--
-- deltas: those of rollup_app_version_counts; they are summed over app versions here.
create or replace function afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_version_counts[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_delivery_counts as r
        select
            app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced), sum(refused),
            sum(locally_sent), sum(only_locally_sent)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced,
            refused = r.refused + excluded.refused,
            locally_sent = r.locally_sent + excluded.locally_sent,
            only_locally_sent = r.only_locally_sent + excluded.only_locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_delivery_counts where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_deliveries is 'Adds deltas to rollup_delivery_counts.';
