create or replace function afterpush.advance_seal() returns text
language plpgsql
as $$
declare
    announced afterpush.sealing;
    sealed timestamptz;
begin
    select * into announced from afterpush.sealing for update;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.announced_before <= sealed then
        return 'sealed';
    end if;
    if announced.after_batch is null then
        update afterpush.sealing set after_batch = afterpush.last_batch_before_barrier();
        return 'waiting';
    end if;
    perform from afterpush.rollup_worker for update;
    if exists (select from afterpush.batches where rolled_up_at is null and batch_id <= announced.after_batch) then
        return 'waiting';
    end if;
    -- Those that left the sealed hours again are counted, and from now on like any other.
    delete from afterpush.late_deliveries as l
    where not exists (
        select
        from afterpush.deliveries as d
        where d.delivery_id = l.delivery_id
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    );
    delete from afterpush.erased_event_counts where event_hour < announced.announced_before;
    update afterpush.rollup_worker set sealed_before = announced.announced_before;
    return 'sealed';
end
$$;
comment on function afterpush.advance_seal is 'Seals what is announced, once all before it is merged.';
