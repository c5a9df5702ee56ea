-- Adds a change of deliveries to the five rollups of deliveries by state.
--
-- shapes: deliveries that came, and with a negative number deliveries that went (see merge_batches).
create or replace function afterpush.add_deliveries(shapes afterpush.delivery_shape[]) returns void
language plpgsql
as $$
declare
    deltas afterpush.rollup_app_version_counts[];
begin
    deltas := afterpush.app_version_deltas(shapes);
    perform afterpush.add_to_rollup_app_versions(deltas);
    perform afterpush.add_to_rollup_deliveries(deltas);
    perform afterpush.add_to_rollup_delivery_days(deltas);
    perform afterpush.add_to_rollup_campaign_days(deltas);
    perform afterpush.add_to_rollup_goal_days(deltas);
end
$$;
comment on function afterpush.add_deliveries is 'Adds a change of deliveries to the rollups of deliveries by state.';
