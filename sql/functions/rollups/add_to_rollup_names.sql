-- Adds deltas to rollup_names, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_names(deltas afterpush.rollup_names[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_names as r
        select app_id, event_hour, campaign_id, variant, category_id, category_version, action_id, sum(events)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(events) <> 0
        order by 1, 2, 3, 4, 5, 6, 7
        on conflict (app_id, event_hour, campaign_id, variant, category_id, category_version, action_id) do update set
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.events
    )
    select array_agg(stored_row) into emptied from added where events = 0;

    if emptied is not null then
        delete from afterpush.rollup_names where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_names is 'Adds deltas to rollup_names.';
