-- Adds deltas to rollup_app_version_counts, in the order of its key, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_version_counts[])
returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_app_version_counts as r
        select *
        from unnest(deltas)
        order by
            app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions
        on conflict (
            app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, afterpush.actions_key(actions)
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
        delete from afterpush.rollup_app_version_counts where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_app_versions is 'Adds deltas to rollup_app_version_counts.';
