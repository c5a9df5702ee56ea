-- Sets of actions may be long, retention and erasure find what was left of replies and refusals.

-- No program of before merges meanwhile.
select from afterpush.rollup_worker for update;

-- Rollups. 32 actions of 256 bytes do not fit into an entry of an index, and one delivery that was answered with a dozen
-- long ones stopped all merging. Sets stand in keys by their digest.

create function afterpush.actions_key(actions text[]) returns bytea
language plpgsql immutable strict parallel safe
as $$
begin
    return case when actions = '{}' then '' else sha256(convert_to(actions::text, 'UTF8')) end;
end
$$;
comment on function afterpush.actions_key is 'What a set of actions is known by in a key: empty for none, else its SHA-256.';
grant execute on function afterpush.actions_key to afterpush_worker;

alter table afterpush.rollup_deliveries drop constraint rollup_deliveries_pkey;
create unique index rollup_deliveries_key on afterpush.rollup_deliveries (
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    afterpush.actions_key(actions)
);
alter table afterpush.rollup_app_versions drop constraint rollup_app_versions_pkey;
create unique index rollup_app_versions_key on afterpush.rollup_app_versions (
    app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, afterpush.actions_key(actions)
);
alter table afterpush.rollup_delivery_days drop constraint rollup_delivery_days_pkey;
create unique index rollup_delivery_days_key on afterpush.rollup_delivery_days (
    app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform, is_sent, is_confirmed,
    afterpush.actions_key(actions)
);

-- roll_up as it is, but for the keys that it meets rows by.
do $$
declare
    definition text := pg_get_functiondef('afterpush.roll_up(integer)'::regprocedure);
    keyed text := regexp_replace(definition, 'is_confirmed, actions\s+\) do update', 'is_confirmed, afterpush.actions_key(actions)) do update', 'g');
begin
    if regexp_count(keyed, 'actions_key') <> 3 then
        raise exception 'roll_up is not as it was released';
    end if;
    execute keyed;
end
$$;

-- Storing.

-- With a snapshot of its own: what another transaction stored meanwhile, the statement that calls it does not see.
alter function afterpush.differing_events volatile;

-- Retention.

-- As before, but a delivery is kept as long as the texts of its replies: without it, erasure would not find them, nor
-- retention their category.
create or replace function afterpush.purge_deliveries(before timestamptz, first bigint, blocks integer) returns bigint
language plpgsql
as $$
declare
    sealed timestamptz;
    purged bigint;
begin
    if first >= pg_relation_size('afterpush.deliveries') / current_setting('block_size')::integer then
        return null;
    end if;
    select sealed_before into sealed from afterpush.rollup_worker for update;
    with purged_ones as (
        delete from afterpush.deliveries as d
        where d.ctid >= format('(%s,0)', first)::tid
          and d.ctid < format('(%s,0)', first + blocks)::tid
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < least(before, sealed)
          and not exists (select from afterpush.events as e where e.delivery_id = d.delivery_id)
          and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
        returning d.delivery_id
    ),
    marks as (
        delete from afterpush.late_deliveries using purged_ones where late_deliveries.delivery_id = purged_ones.delivery_id
    )
    select count(*) into purged from purged_ones;
    return purged;
end
$$;

-- As before, but one at a time: two that add up the same batches would lose some.
create or replace function afterpush.fold_batches(after bigint, max integer) returns bigint
language plpgsql
as $$
declare
    last bigint;
begin
    perform from afterpush.sealing for update;
    select max(batch_id)
    into last
    from (select batch_id from afterpush.batches where batch_id > after order by batch_id limit max) as slice;
    if last is null then
        return null;
    end if;
    with folded as materialized (
        select
            max(b.batch_id) as batch_id,
            min(b.started_at) as started_at,
            sum(b.events)::integer as events,
            sum(b.duplicates)::integer as duplicates,
            sum(b.conflicts)::integer as conflicts,
            sum(b.rejected)::integer as rejected,
            array_agg(b.batch_id) as batch_ids
        from afterpush.batches as b
        where b.batch_id > after
          and b.batch_id <= last
          and b.rolled_up_at is not null
          and b.started_at < now() - interval '7 days'
          and not exists (select from afterpush.events as e where e.batch_id = b.batch_id)
        group by b.app_id, date_trunc('hour', b.started_at)
        having count(*) > 1
    ),
    kept as (
        update afterpush.batches as b
        set started_at = f.started_at,
            events = f.events,
            duplicates = f.duplicates,
            conflicts = f.conflicts,
            rejected = f.rejected
        from folded as f
        where b.batch_id = f.batch_id
    )
    delete from afterpush.batches as b
    using folded as f
    where b.batch_id = any (f.batch_ids)
      and b.batch_id <> f.batch_id;
    return last;
end
$$;

-- Erasure.

-- Of an erased device nothing is kept that it sent, whenever and however it comes: collectors know of an erasure within
-- a second, and this is for what they refused before and store after, and for devices that only a receipt names.
create function afterpush.keep_refusal() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (select from afterpush.suppressed_devices as s where s.app_id = new.app_id)
        and exists (
            select
            from unnest(afterpush.named_devices(new.event)) as named (device)
            cross join afterpush.suppression_keys as k
            join afterpush.suppressed_devices as s
                on s.app_id = new.app_id
                and s.device_hash = afterpush.device_hash(named.device, k.inner_block, k.outer_block)
        )
    then
        new.code := 'device_suppressed';
        new.detail := 'the device was erased';
        new.event := case
            when new.event_id ~ '^[0-9A-Fa-f-]*$' then '{"event_id":"' || new.event_id || '"}'
            else '{}'
        end;
    end if;
    return new;
end
$$;
comment on function afterpush.keep_refusal is 'Takes out of a refused event what its device sent, if that was erased.';
create trigger keep_refusal before insert on afterpush.rejected_events
    for each row
    execute function afterpush.keep_refusal();

-- As before, but a step ends after the delivery in which it has come to 5000 events, and takes no more of the device alone.
create or replace function afterpush.sweep_device(app integer, device text, max integer)
returns table (events bigint, replies bigint, deliveries bigint)
language plpgsql
as $$
declare
    taken uuid[];
    alone uuid := afterpush.device_identity(app, device);
begin
    select array_agg(delivery_id)
    into taken
    from (
        select d.delivery_id, sum(d.events) over (order by d.delivery_id) - d.events as events_before
        from (
            select
                d.delivery_id,
                (select count(*) from (select from afterpush.events as e where e.delivery_id = d.delivery_id limit 5000) as few)
                as events
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_id = device
            order by d.delivery_id
            limit max
        ) as d
    ) as slice
    where events_before < 5000;
    if taken is null then
        -- Of the device alone: they have no delivery, and no dimension but a platform.
        with gone as (
            delete from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) in (
                select s.delivery_id, s.event_id, s.device_time
                from afterpush.events as s
                where s.delivery_id = alone
                limit 5000
            )
            returning e.occurred_at, e.platform, e.kind, e.verified
        ),
        kept as (
            insert into afterpush.erased_events as k
            select
                app, afterpush.hour_of(g.occurred_at), '', '', '', coalesce(g.platform, ''), g.kind,
                count(*), count(*) filter (where g.verified)
            from gone as g
            group by 1, 2, 3, 4, 5, 6, 7
            on conflict (app_id, event_hour, campaign_id, variant, category_id, platform, kind) do update set
                events = k.events + excluded.events,
                verified_events = k.verified_events + excluded.verified_events
        )
        select count(*), 0, 0 into events, replies, deliveries from gone;
        return next;
        return;
    end if;

    perform afterpush.keep_event_counts(taken);
    with gone as (
        delete from afterpush.replies where delivery_id = any (taken) returning 1
    )
    select count(*) into replies from gone;
    with gone as (
        delete from afterpush.events as e where e.delivery_id = any (taken) returning 1
    )
    select count(*) into events from gone;
    with changed as (
        update afterpush.deliveries as d
        set delivery_id = gen_random_uuid(),
            device_id = null,
            notification_id = null
        where d.delivery_id = any (taken)
        returning 1
    )
    select count(*) into deliveries from changed;
    delete from afterpush.late_deliveries where delivery_id = any (taken);
    return next;
end
$$;

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
        read_to := afterpush.last_unaware_batch();
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
        select * into swept from afterpush.sweep_device(job.app_id, job.device_id, max);
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
