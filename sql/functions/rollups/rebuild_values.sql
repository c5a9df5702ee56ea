-- Recomputes delivery_values from the events, and rollup_values from these, for hours that are not sealed.
--
-- sealed: the start of these hours.
--
-- rollup_rebuild calls this after it has corrected the deliveries. Events of deliveries of erased devices are gone, so
-- their values stay.
create or replace function afterpush.rebuild_values(sealed timestamptz) returns void
language plpgsql
as $$
declare
    -- Merging waits meanwhile, but events are being stored: only merged batches count.
    waiting constant bigint[] :=
        array(select batch_id from afterpush.batches where rolled_up_at is null);
begin
    create temporary table fresh_delivery_values on commit drop as
    select m.*
    from afterpush.merged_values(null, waiting) as m
    join afterpush.deliveries as d using (delivery_id)
    where afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
       or d.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l);

    delete from afterpush.delivery_values as v
    where not exists (select from afterpush.deliveries as d where d.delivery_id = v.delivery_id);
    delete from afterpush.delivery_values as v
    using afterpush.deliveries as d
    where d.delivery_id = v.delivery_id
      and d.device_id is not null
      and (
          afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
          or d.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      )
      and not exists (select from pg_temp.fresh_delivery_values as f where f is not distinct from v);
    insert into afterpush.delivery_values
    select *
    from pg_temp.fresh_delivery_values
    order by delivery_id, currency
    on conflict (delivery_id, currency) do nothing;

    create temporary table fresh_values (like afterpush.rollup_values) on commit drop;
    insert into pg_temp.fresh_values
    select * from afterpush.expected_values where anchor_hour >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_values', 'pg_temp.fresh_values', format('anchor_hour >= %L', sealed)
    );
end
$$;
comment on function afterpush.rebuild_values is
    'Recomputes the values of deliveries and their rollup, for hours that are not sealed.';
