-- Computes some deliveries again from all their merged events, and corrects their values and the rollups by the
-- difference. A delivery of a sealed hour is not subtracted: what the rollups counted of it stays. If its new anchor is in
-- a sealed hour, it is not counted, and late_deliveries says so.
--
-- sealed: the start of the hours that are not sealed; -infinity if none is.
--
-- The rollups of single events are left to the caller.
create or replace function afterpush.recompute_deliveries(delivery_ids uuid[], sealed timestamptz) returns void
language plpgsql
as $$
declare
    -- The merged batches of their events. The statements that compute them read only these: they would also see batches
    -- stored since the beginning, which are not merged yet.
    merged constant bigint[] := array(
        select distinct e.batch_id
        from afterpush.events as e
        where e.delivery_id = any (delivery_ids)
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
    );
    shapes afterpush.delivery_shape[];
    stored_hours afterpush.rollup_stored_hours[];
    values_delta afterpush.rollup_values[];
begin
    shapes := afterpush.shapes_of(delivery_ids, sealed, -1);
    stored_hours := afterpush.stored_hours_of(delivery_ids, sealed, -1);
    values_delta := afterpush.value_deltas(afterpush.converted_deliveries(delivery_ids, -1), sealed);

    delete from afterpush.deliveries where delivery_id = any (delivery_ids);
    insert into afterpush.deliveries
    select * from afterpush.merged_deliveries(merged, null, only_deliveries => delivery_ids);
    insert into afterpush.late_deliveries (delivery_id, app_id)
    select d.delivery_id, d.app_id
    from afterpush.deliveries as d
    where d.delivery_id = any (delivery_ids)
      and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    on conflict (delivery_id) do nothing;
    delete from afterpush.delivery_values where delivery_id = any (delivery_ids);
    insert into afterpush.delivery_values
    select * from afterpush.merged_values(merged, null, delivery_ids);

    shapes := shapes || afterpush.shapes_of(delivery_ids, sealed, 1);
    if cardinality(shapes) > 0 then
        perform afterpush.add_deliveries(shapes);
        perform afterpush.add_actions(shapes);
        perform afterpush.add_responses(shapes);
        perform afterpush.add_device_changes(shapes);
    end if;
    perform afterpush.add_to_rollup_stored_hours(stored_hours || afterpush.stored_hours_of(delivery_ids, sealed, 1));
    perform afterpush.add_to_rollup_values(
        values_delta || afterpush.value_deltas(afterpush.converted_deliveries(delivery_ids, 1), sealed)
    );
end
$$;
comment on function afterpush.recompute_deliveries is
    'Computes some deliveries again from their merged events, and corrects the rollups of deliveries.';
