-- The deliveries whose stored row differs from what their events say, in a range of delivery_ids.
--
-- sealed:         the start of the hours that are not sealed; sealed deliveries are left out.
-- from_id, to_id: the range, the end excluded; null for no bound.
-- Returns the row that should be stored, null if there should be none; and the delivery_id if one is stored.
--
-- rebuild_deliveries calls this once per range, in one statement, so that ranges are compared in parallel. The cost
-- makes the planner start a process for each of them.
create or replace function afterpush.differing_deliveries(sealed timestamptz, from_id uuid, to_id uuid)
returns table (rebuilt afterpush.deliveries, stored_id uuid)
language plpgsql stable parallel safe cost 100000000
-- With the bounds as constants, each range reads only its part of the index; sorted input needs no hash table.
set plan_cache_mode = force_custom_plan
set enable_hashagg = off
as $$
declare
    -- Read in the same snapshot as the events: a batch that is merged in between would be counted twice.
    waiting constant bigint[] :=
        (select coalesce(array_agg(batch_id), '{}') from afterpush.batches where rolled_up_at is null);
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, from_id, to_id) as m
        where afterpush.anchor_hour(m.verified_sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- Keeps the planner from merging the selects, so that each value is computed once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where (from_id is null or d.delivery_id >= from_id)
          and (to_id is null or d.delivery_id < to_id)
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          -- A delivery without a device was erased, and stays: its events are gone, or some of them, if more than one
          -- step is needed.
          when (s.stored).device_id is null then false
          when r.delivery_id is null then not s.is_sealed
          -- Some events of a sealed delivery may be gone, so it stays, unless verified events have released it (see
          -- merge_batches).
          else not s.is_sealed or (s.stored).verified_kinds = 0 and (r.rebuilt).verified_kinds <> 0
      end;
end
$$;
comment on function afterpush.differing_deliveries is
    'Deliveries, of a range of delivery_ids, whose stored row differs from what their events say.';
