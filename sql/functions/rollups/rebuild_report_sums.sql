-- Recomputes rollup_event_checks, rollup_names and rollup_stored_hours for hours that are not sealed.
--
-- sealed: the start of these hours.
create or replace function afterpush.rebuild_report_sums(sealed timestamptz) returns void
language plpgsql
as $$
begin
    -- `create table as` may run in parallel processes, `insert` may not.
    create temporary table fresh_event_checks on commit drop as
    select * from afterpush.expected_event_checks where event_hour >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_event_checks', 'pg_temp.fresh_event_checks', format('event_hour >= %L', sealed)
    );
    create temporary table fresh_names on commit drop as
    select * from afterpush.expected_names where event_hour >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_names', 'pg_temp.fresh_names', format('event_hour >= %L', sealed)
    );
    create temporary table fresh_stored_hours on commit drop as
    select * from afterpush.expected_stored_hours where anchor_hour >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_stored_hours', 'pg_temp.fresh_stored_hours', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_report_sums is
    'Recomputes rollup_event_checks, rollup_names and rollup_stored_hours for hours that are not sealed.';
