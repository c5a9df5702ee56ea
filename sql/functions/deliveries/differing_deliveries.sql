-- A delivery that must be stored otherwise than it is: what it must be (null: not there), and its delivery_id if it is there.
create or replace function afterpush.differing_deliveries(sealed timestamptz, "from" uuid, "to" uuid)
returns table (rebuilt afterpush.deliveries, stored_id uuid)
language plpgsql stable parallel safe cost 100000000
set plan_cache_mode = force_custom_plan
set enable_hashagg = off
as $$
declare
    -- Asked here, in the snapshot that events are read in: one that is stored in between would be counted twice.
    waiting constant bigint[] :=
        (select coalesce(array_agg(batch_id), '{}') from afterpush.batches where rolled_up_at is null);
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, "from", "to") as m
        where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- So that each value is worked out once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where ("from" is null or d.delivery_id >= "from")
          and ("to" is null or d.delivery_id < "to")
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          when r.delivery_id is null then not s.is_sealed and (s.stored).device_id is not null
          -- Of a delivery of a sealed hour some events may be gone.
          else not s.is_sealed or s.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      end;
end
$$;
comment on function afterpush.differing_deliveries is
    'Deliveries, of a range of delivery_ids, that are not stored as their events tell them.';
