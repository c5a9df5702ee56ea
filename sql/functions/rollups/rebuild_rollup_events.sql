-- Recomputes rollup_events and rollup_event_hours for hours that are not sealed.
--
-- sealed: the start of these hours.
create or replace function afterpush.rebuild_rollup_events(sealed timestamptz) returns void
language plpgsql
as $$
begin
    -- `create table as` may run in parallel processes, `insert` may not. The planner expects every event to be a group
    -- of its own and would sort them; there are few groups, so a hash table serves better.
    perform set_config('enable_sort', 'off', true);
    create temporary table fresh_events on commit drop as
    select * from afterpush.expected_events where event_hour >= sealed;
    perform set_config('enable_sort', 'on', true);
    perform afterpush.replace_rows(
        'afterpush.rollup_events', 'pg_temp.fresh_events', format('event_hour >= %L', sealed)
    );

    delete from afterpush.rollup_event_hours where event_hour >= sealed;
    insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours where event_hour >= sealed;
end
$$;
comment on function afterpush.rebuild_rollup_events is
    'Recomputes rollup_events and rollup_event_hours for hours that are not sealed.';
