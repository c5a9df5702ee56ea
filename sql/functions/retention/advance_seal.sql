-- Takes the announced seal one step further, and returns `sealed` once it is in place, `waiting` before that.
--
-- The first call waits at the ingest barrier for batches that may hold events from before the seal; set lock_timeout.
-- Call it again, with batches being merged in between, until it returns `sealed`. See V0008_retention_and_erasure.
create or replace function afterpush.advance_seal() returns text
language plpgsql
as $$
declare
    announced afterpush.retention_state;
    sealed timestamptz;
begin
    select * into announced from afterpush.retention_state for update;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.rejected_before <= sealed then
        return 'sealed';
    end if;
    if announced.rejected_before > afterpush.retention_time() then
        raise exception 'a seal can''t be in the future' using errcode = 'AP002';
    end if;
    if announced.barrier_batch is null then
        update afterpush.retention_state set barrier_batch = afterpush.last_batch_before_barrier();
        return 'waiting';
    end if;
    sealed := afterpush.lock_all_merges();
    if exists (select from afterpush.batches where rolled_up_at is null and batch_id <= announced.barrier_batch) then
        return 'waiting';
    end if;
    -- Hours that are sealed are not recounted any more.
    if exists (
        select
        from afterpush.campaigns as c
        join afterpush.rollup_campaign_days as r using (app_id, campaign_id)
        where (c.next_window is not null or c.counted_window <> coalesce(c.conversion_window, c.response_window))
          and r.anchor_day < announced.rejected_before
          and r.anchor_day + interval '24 hours' > sealed
    ) then
        return 'waiting';
    end if;
    -- A late delivery whose anchor is in no sealed hour any more is counted by the rollups; its mark goes.
    delete from afterpush.late_deliveries as l
    where not exists (
        select
        from afterpush.deliveries as d
        where d.delivery_id = l.delivery_id
          and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    );
    -- Sealed hours are never rebuilt.
    delete from afterpush.erased_event_counts where event_hour < announced.rejected_before;
    update afterpush.rollup_worker set sealed_before = announced.rejected_before;
    return 'sealed';
end
$$;
comment on function afterpush.advance_seal is
    'Takes the announced seal one step further; returns sealed or waiting.';
