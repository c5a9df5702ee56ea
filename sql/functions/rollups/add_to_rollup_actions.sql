-- Adds deltas to rollup_action_counts, in the order of its key, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_actions(deltas afterpush.rollup_action_counts[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_action_counts as r
        select *
        from unnest(deltas)
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_action_counts where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_actions is 'Adds deltas to rollup_action_counts.';
