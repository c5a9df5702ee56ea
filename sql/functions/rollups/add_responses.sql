-- Adds a change of deliveries to the two rollups of response times.
--
-- shapes: deliveries that came, and with a negative number deliveries that went (see merge_batches).
create or replace function afterpush.add_responses(shapes afterpush.delivery_shape[]) returns void
language plpgsql
as $$
declare
    deltas afterpush.rollup_response_counts[];
begin
    deltas := afterpush.response_deltas(shapes);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_responses(deltas);
        perform afterpush.add_to_rollup_response_days(deltas);
    end if;
end
$$;
comment on function afterpush.add_responses is 'Adds a change of deliveries to the rollups of response times.';
