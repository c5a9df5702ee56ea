-- Adds numbers of events to the two rollups of events.
--
-- counts: the numbers to add; a number of events that went is negative.
create or replace function afterpush.add_event_counts(counts afterpush.event_count[]) returns void
language plpgsql
as $$
declare
    deltas afterpush.rollup_events[];
begin
    deltas := afterpush.event_deltas(counts);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_events(deltas);
        perform afterpush.add_to_rollup_event_hours(deltas);
    end if;
end
$$;
comment on function afterpush.add_event_counts is 'Adds numbers of events to the rollups of events.';
