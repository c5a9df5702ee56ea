-- As before, but what was refused is looked through from where the oldest of them stands: those that came since neither
-- hold it up nor send it back.
create or replace function afterpush.erase_step(max integer) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    job afterpush.erasures;
    swept record;
    read_from bigint;
    read_to bigint;
begin
    if not exists (select from afterpush.erasures where finished_at is null) then
        return 'idle';
    end if;
    perform from afterpush.rollup_worker for update skip locked;
    if not found then
        return 'busy';
    end if;

    -- What is stored from here on is checked, and what was stored before is merged before it is swept.
    if exists (select from afterpush.erasures where phase = 'announced') then
        read_to := afterpush.last_batch_before_barrier();
        update afterpush.erasures set phase = 'merging', after_batch = read_to where phase = 'announced';
        return 'working';
    end if;
    update afterpush.erasures as e
    set phase = case when e.device_id is null then 'searching' else 'sweeping' end
    where (e.phase = 'merging' or e.phase = 'searching' and e.device_id is not null)
      and not exists (
          select from afterpush.batches as b where b.rolled_up_at is null and b.batch_id <= e.after_batch
      );
    if found then
        return 'working';
    end if;

    select *
    into job
    from afterpush.erasures as e
    where e.phase = 'sweeping'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if found then
        select * into swept from afterpush.erase_device_chunk(job.app_id, job.device_id, max);
        update afterpush.erasures as e
        set phase = case when swept.events + swept.replies + swept.deliveries > 0 then 'sweeping' else 'refusals' end,
            events = e.events + swept.events,
            replies = e.replies + swept.replies,
            deliveries = e.deliveries + swept.deliveries
        where (e.app_id, e.device_hash) = (job.app_id, job.device_hash);
        return 'working';
    end if;
    if exists (select from afterpush.erasures where phase = 'searching') then
        return 'search';
    end if;

    -- For a moment there may be collectors that keep refused events of the device as they came.
    update afterpush.erasures as e
    set phase = 'done', device_id = null, finished_at = clock_timestamp()
    where e.phase = 'refusals'
      and e.requested_at < clock_timestamp() - interval '2 seconds'
      and not exists (select from afterpush.rejected_events as r where r.rejection_id > e.refusals_read);
    if found then
        return 'working';
    end if;
    select e.refusals_read
    into read_from
    from afterpush.erasures as e
    where e.phase = 'refusals'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if not found then
        return 'waiting';
    end if;
    select max(rejection_id)
    into read_to
    from (
        select rejection_id
        from afterpush.rejected_events
        where rejection_id > read_from
        order by rejection_id
        limit max * 10
    ) as slice;
    if read_to is null then
        return 'waiting';
    end if;
    with named as materialized (
        select r.rejection_id, e.app_id, e.device_hash
        from afterpush.rejected_events as r
        cross join lateral afterpush.named_devices(r.event) as named (devices)
        join afterpush.erasures as e
            on e.phase = 'refusals'
            and e.app_id = r.app_id
            and e.device_id = any (named.devices)
        where r.rejection_id > read_from
          and r.rejection_id <= read_to
    ),
    gone as (
        delete from afterpush.rejected_events as r
        using named
        where r.rejection_id = named.rejection_id
    )
    update afterpush.erasures as e
    set refusals_read = greatest(e.refusals_read, case when e.refusals_read >= read_from then read_to else 0 end),
        rejected = e.rejected + (
            select count(*) from named where (named.app_id, named.device_hash) = (e.app_id, e.device_hash)
        )
    where e.phase = 'refusals';
    return 'working';
end
$$;
comment on function afterpush.erase_step is 'Does the next step of the oldest erasure that is not done.';
