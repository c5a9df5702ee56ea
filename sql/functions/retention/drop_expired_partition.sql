-- Drops the oldest month of events that is sealed as a whole. Events that an unsealed hour still needs move to the
-- default partition: those of clocks that were far off, and of deliveries that were anchored later. Returns its name;
-- null when there is none.
create or replace function afterpush.drop_expired_partition() returns text
language plpgsql
as $$
declare
    sealed timestamptz;
    part text;
    waiting bigint[];
begin
    -- Nothing is merged meanwhile, so what is needed now is needed at the end, and what comes in waits.
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select p into part from afterpush.expired_partitions(sealed) as p limit 1;
    if part is null then
        return null;
    end if;
    execute format(
        'create temporary table needed_events on commit drop as
         select e.*
         from afterpush.%I as e
         left join afterpush.deliveries as d using (delivery_id)
         where e.occurred_at >= %L
            or afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= %L',
        part, sealed, sealed
    );
    lock table afterpush.events in access exclusive mode;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;
    execute format(
        'insert into pg_temp.needed_events
         select * from afterpush.%I where batch_id = any ($1)
         except select * from pg_temp.needed_events', part
    ) using waiting;
    execute format('drop table afterpush.%I', part);
    insert into afterpush.events select * from pg_temp.needed_events;
    return part;
end
$$;
comment on function afterpush.drop_expired_partition is
    'Drops the oldest month of events that is sealed as a whole, but for events that are still needed.';
