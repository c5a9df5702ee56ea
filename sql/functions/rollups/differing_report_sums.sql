-- Compares rollup_event_checks, rollup_names and rollup_stored_hours with their recomputation from the events and
-- deliveries, as rollup_verify does with the others: a row for each difference.
create or replace function afterpush.differing_report_sums()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    )
    select 'rollup_event_checks', difference::text
    from (
        (select * from afterpush.rollup_event_checks except all select * from afterpush.expected_event_checks)
        union all
        (select * from afterpush.expected_event_checks except all select * from afterpush.rollup_event_checks)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_names', difference::text
    from (
        (select * from afterpush.rollup_names except all select * from afterpush.expected_names)
        union all
        (select * from afterpush.expected_names except all select * from afterpush.rollup_names)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_stored_hours', difference::text
    from (
        (select * from afterpush.rollup_stored_hours except all select * from afterpush.expected_stored_hours)
        union all
        (select * from afterpush.expected_stored_hours except all select * from afterpush.rollup_stored_hours)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
$$;
comment on function afterpush.differing_report_sums is
    'Each difference between the sums for reports health and undeclared and their recomputation.';
