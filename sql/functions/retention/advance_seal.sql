-- Takes the announced seal one step further. Returns `sealed` once it is in place; before that `waiting`, while batches
-- have to be merged, or `recounting`, while conversions are being counted by a changed window.
--
-- The first call waits at the ingest barrier for batches that may hold events from before the seal; set lock_timeout.
-- Call it again, with batches being merged in between, until it returns `sealed`. See V0008_retention_and_erasure.
--
-- One app does not keep the hours of all apps from being sealed. Recounts that have begun are waited for, so that what is
-- sealed is counted by one window, but after half a minute no other one begins (may_begin_recounts), however often windows
-- are changed. And what fails or is slow in one app is waited for at most a day: stalled_apps, and recounts.
create or replace function afterpush.advance_seal() returns text
language plpgsql
as $$
declare
    announced afterpush.retention_state;
    sealed timestamptz;
    stalled integer[];
begin
    select * into announced from afterpush.retention_state;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.rejected_before <= sealed then
        return 'sealed';
    end if;
    if announced.rejected_before > afterpush.retention_time() then
        raise exception 'a seal can''t be in the future' using errcode = 'AP002';
    end if;
    if announced.barrier_batch is null then
        perform from afterpush.retention_state for update;
        update afterpush.retention_state set barrier_batch = afterpush.last_batch_before_barrier();
        return 'waiting';
    end if;
    sealed := afterpush.lock_all_merges();
    -- Only now, because requests of erasures need this lock, too. Another seal may have been announced meanwhile.
    select * into announced from afterpush.retention_state for update;
    if announced.barrier_batch is null then
        return 'waiting';
    end if;
    -- Once, and not for each batch: all merges wait for this.
    stalled := afterpush.stalled_apps();
    if exists (
        select
        from afterpush.apps as a
        cross join lateral afterpush.oldest_waiting_batch(a.app_id) as oldest
        where a.app_id <> all (stalled)
          and oldest.batch_id <= announced.barrier_batch
    ) then
        return 'waiting';
    end if;
    -- Hours that are sealed are not recounted any more.
    if exists (
        select
        from afterpush.campaigns as c
        join afterpush.rollup_campaign_days as r using (app_id, campaign_id)
        where (
                c.next_window is not null
                or c.counted_window <> coalesce(c.conversion_window, c.response_window)
                    and coalesce(announced.recounts_awaited_since, now()) > now() - interval '30 seconds'
            )
          and r.anchor_day < announced.rejected_before
          and r.anchor_day + interval '24 hours' > sealed
    ) and coalesce(announced.recounts_awaited_since, now()) > now() - interval '1 day' then
        update afterpush.retention_state
        set recounts_awaited_at = now(), recounts_awaited_since = coalesce(recounts_awaited_since, now());
        return 'recounting';
    end if;
    update afterpush.retention_state set recounts_awaited_at = default, recounts_awaited_since = default;
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
    'Takes the announced seal one step further; returns sealed, waiting or recounting.';

-- The apps whose batches a seal does not wait for: those that are merged apart and are more than a day behind. What these
-- batches have of sealed hours is stored, and counts nowhere.
create or replace function afterpush.stalled_apps() returns integer[]
language sql stable
return array(
    select p.app_id
    from afterpush.apps_merged_apart as p
    cross join lateral afterpush.oldest_waiting_batch(p.app_id) as oldest
    where oldest.started_at < now() - interval '1 day'
);
comment on function afterpush.stalled_apps is 'Returns the apps whose batches a seal does not wait for.';
