-- Adds a change of deliveries to the two rollups of actions.
--
-- shapes: deliveries that came, and with a negative number deliveries that went (see merge_batches).
create or replace function afterpush.add_actions(shapes afterpush.delivery_shape[]) returns void
language plpgsql
as $$
declare
    deltas afterpush.rollup_action_counts[];
begin
    deltas := afterpush.action_deltas(shapes);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_actions(deltas);
        perform afterpush.add_to_rollup_action_days(deltas);
    end if;
end
$$;
comment on function afterpush.add_actions is 'Adds a change of deliveries to the rollups of actions.';
