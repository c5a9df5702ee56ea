-- Adds deltas to rollup_event_checks, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_event_checks(deltas afterpush.rollup_event_checks[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_event_checks as r
        select app_id, event_hour, measure, value, sum(events)
        from unnest(deltas)
        group by 1, 2, 3, 4
        having sum(events) <> 0
        order by 1, 2, 3, 4
        on conflict (app_id, event_hour, measure, value) do update set events = r.events + excluded.events
        returning r.ctid as stored_row, r.events
    )
    select array_agg(stored_row) into emptied from added where events = 0;

    if emptied is not null then
        delete from afterpush.rollup_event_checks where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_event_checks is 'Adds deltas to rollup_event_checks.';
