-- Does the next step of erasure, in one transaction that stays short.
--
-- max: deliveries erased at most. max_rows: events and replies of a device deleted at most, and rows of alerts searched.
-- Returns what the caller does next:
--   idle     no job is left
--   busy     another transaction holds the lock of the rollup worker; try again
--   waiting  batches have to be merged, or a moment has to pass, before a job can go on
--   search   call find_erased_devices: there are jobs of which only the hash of the device is known
--   check    look for the devices of jobs in the next rejected events: statements next_rejected_page and
--            erase_rejected_page
--   working  call again
--
-- The phases of a job, in order (see V0008_retention_and_erasure):
--   announced          no step was taken yet
--   merging            batches that may hold events of the device are being merged
--   searching          the device of a restored hash is being searched
--   erasing            events and replies are deleted, and deliveries made anonymous, chunk by chunk
--   checking_rejected  rejected events that contain the id are deleted
--   erasing_texts      the id is erased from names of other systems' events, from alerts, and from the planner's samples
--   done
-- The jobs of an app share the checks of its rejected events: checking goes on from the job that was requested first, and
-- those that came later neither delay it nor send it back.
create or replace function afterpush.run_erasure_step(max integer, max_rows integer default 5000) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    job afterpush.erasures;
    erased record;
    -- Whether nothing is left of the device but rejected events and texts.
    is_erased boolean;
    can_check boolean;
    can_erase boolean;
    -- Apps that are merged apart, and are not being merged.
    locked_apps integer[];
    announced_apps integer[];
    announced_hashes bytea[];
    last_batch bigint;
begin
    if not exists (select from afterpush.erasures where finished_at is null) then
        return 'idle';
    end if;
    perform afterpush.end_rejected_checks();
    -- Before the lock of merges is taken. These steps and others are equally likely, so that neither delays the other.
    if random() < 0.5 and afterpush.erase_texts(max_rows) then
        return 'working';
    end if;
    -- Later batches are checked for suppressed events when they are stored; earlier ones are merged first.
    select array_agg(app_id), array_agg(device_hash)
    into announced_apps, announced_hashes
    from afterpush.erasures
    where phase = 'announced';
    if announced_apps is not null then
        -- Jobs that are announced while it waits have their turn in the next step.
        last_batch := afterpush.last_batch_before_barrier();
        update afterpush.erasures as e
        set phase = 'merging', barrier_batch = last_batch
        from unnest(announced_apps, announced_hashes) as a (app_id, device_hash)
        where e.app_id = a.app_id and e.device_hash = a.device_hash and e.phase = 'announced';
        return 'working';
    end if;
    update afterpush.erasures as e
    set phase = case when e.device_id is null then 'searching' else 'erasing' end
    where (e.phase = 'merging' or e.phase = 'searching' and e.device_id is not null)
      and not exists (
          select
          from afterpush.batches as b
          where b.rolled_up_at is null
            and b.batch_id + 0 <= e.barrier_batch
            and b.app_id = e.app_id
      );
    if found then
        return 'working';
    end if;

    can_check := exists (
        select
        from afterpush.erasures as e
        where e.phase = 'checking_rejected'
          and exists (
              select
              from afterpush.rejected_events as r
              where r.app_id = e.app_id
                and r.rejection_id > e.rejected_checked
          )
    );
    -- Checks and other steps are equally likely, and so are the apps, so that large erasures of one don't delay those of
    -- others.
    if can_check and random() < 0.5 then
        return 'check';
    end if;
    can_erase := exists (select from afterpush.erasures where phase = 'erasing');
    if can_erase then
        -- Merges wait for these locks, so nothing else is done under them.
        perform from afterpush.rollup_worker for update skip locked;
        if not found then
            return case when can_check then 'check' else 'busy' end;
        end if;
        locked_apps := array(select a.app_id from afterpush.apps_merged_apart as a for update skip locked);
    end if;
    -- First an app, and then its first job, from the index: there can be very many jobs, and merges wait for this.
    with recursive apps (app_id) as (
        select min(e.app_id) from afterpush.erasures as e where e.phase = 'erasing'
        union all
        select (
            select min(e.app_id) from afterpush.erasures as e where e.phase = 'erasing' and e.app_id > p.app_id
        )
        from apps as p
        where p.app_id is not null
    )
    select e.*
    into job
    from (
        select p.app_id
        from apps as p
        where p.app_id is not null
          -- Another step may have let a job come so far since.
          and can_erase
          -- A recount goes by the numbers of devices, which an erasure deletes (recount_conversions).
          and not exists (
              select from afterpush.campaigns as c where c.app_id = p.app_id and c.next_window is not null
          )
          and (
              p.app_id = any (locked_apps)
              or not exists (select from afterpush.apps_merged_apart as a where a.app_id = p.app_id)
          )
        order by random()
        limit 1
    ) as chosen
    cross join lateral (
        select e.*
        from afterpush.erasures as e
        where e.phase = 'erasing'
          and e.app_id = chosen.app_id
        order by e.requested_at, e.device_hash
        limit 1
    ) as e;
    if found then
        select * into erased from afterpush.erase_device_chunk(
            job.app_id, job.device_id, max, max_rows, job.partial_delivery
        );
        is_erased := job.partial_delivery is null and erased.events + erased.replies + erased.deliveries = 0;
        update afterpush.erasures as e
        set phase = case when is_erased then 'checking_rejected' else 'erasing' end,
            -- The deletions were committed by earlier steps.
            deleted_at = case when is_erased then clock_timestamp() end,
            events = e.events + erased.events,
            replies = e.replies + erased.replies,
            deliveries = e.deliveries + erased.deliveries,
            partial_delivery = erased.left_delivery
        where (e.app_id, e.device_hash) = (job.app_id, job.device_hash);
        return 'working';
    end if;
    if exists (select from afterpush.erasures where phase = 'searching') then
        return 'search';
    end if;
    if can_check then
        return 'check';
    end if;
    -- Texts are not searched under the lock of merges.
    return case when not can_erase and afterpush.erase_texts(max_rows) then 'working' else 'waiting' end;
end
$$;
comment on function afterpush.run_erasure_step is
    'Does the next step of erasure; returns idle, busy, waiting, search, check or working.';
