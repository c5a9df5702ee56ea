-- Retention, which seals hours and drops what is past; erasure of devices, which leaves their deliveries anonymous and
-- refuses what still comes of them.
--
-- What must not be stored any more is announced in a table first. From the announcement's commit on, a transaction that
-- stores events sees it (trigger check_batch) or holds the advisory lock 1634104321 shared. Whoever then gets that alone
-- knows that whatever slipped through has committed with a batch number that is given out already: once these batches
-- are merged, nothing that was announced against is stored or waits, and hours can be sealed, devices swept.

-- What was announced.

create table afterpush.suppression_keys (
    key_id integer generated always as identity primary key,
    -- Made here, so that it stands in no statement: see receipt_secrets.
    key bytea not null unique
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(key) = 32),
    created_at timestamptz not null default now()
);
comment on table afterpush.suppression_keys is 'The keys that erased devices are hashed with: one, and those that came back with lists of other times.';
comment on column afterpush.suppression_keys.key_id is 'Its number; the lowest one hashes.';
comment on column afterpush.suppression_keys.key is 'Its 32 random bytes. It stays with the data: a restored backup must know the devices that the list names.';
comment on column afterpush.suppression_keys.created_at is 'When it was made, or came back.';
insert into afterpush.suppression_keys default values;

-- Each byte of a key of 32, or of what fills it up to 64, in exclusive or with one byte.
create function afterpush.key_block(key bytea, pad integer) returns bytea
language sql immutable parallel safe
as $$
    select string_agg(
        set_byte('\x00', 0, (case when place < octet_length(key) then get_byte(key, place) else 0 end) # pad), ''
        order by place
    )
    from generate_series(0, 63) as place
$$;
comment on function afterpush.key_block is 'A key padded and masked to a block, as HMAC (RFC 2104) takes it.';

alter table afterpush.suppression_keys
    add column inner_block bytea generated always as (afterpush.key_block(key, 54)) stored,
    add column outer_block bytea generated always as (afterpush.key_block(key, 92)) stored;
comment on column afterpush.suppression_keys.inner_block is 'The key as the inner hash of HMAC takes it.';
comment on column afterpush.suppression_keys.outer_block is 'The key as the outer hash of HMAC takes it.';

create function afterpush.device_hash(device text, inner_block bytea, outer_block bytea) returns bytea
language sql immutable parallel safe
return sha256(outer_block || sha256(inner_block || convert_to(device, 'UTF8')));
comment on function afterpush.device_hash is 'HMAC-SHA-256 of a device''s id.';

alter table afterpush.suppressed_devices
    add column suppression_id bigint generated always as identity,
    add column key_id integer not null references afterpush.suppression_keys;
create unique index on afterpush.suppressed_devices (suppression_id);
create index on afterpush.suppressed_devices (suppressed_at);
comment on column afterpush.suppressed_devices.suppression_id is 'Order of the erasures: a greater one never commits before a smaller one.';
comment on column afterpush.suppressed_devices.key_id is 'The key that it was hashed with.';

create table afterpush.erasures (
    app_id integer not null,
    device_hash bytea not null,
    device_id text collate "C",
    phase text not null check (phase in ('announced', 'merging', 'searching', 'sweeping', 'refusals', 'done')),
    requested_at timestamptz not null default clock_timestamp(),
    after_batch bigint,
    refusals_read bigint not null default 0,
    events bigint not null default 0,
    replies bigint not null default 0,
    deliveries bigint not null default 0,
    rejected bigint not null default 0,
    finished_at timestamptz,
    primary key (app_id, device_hash),
    foreign key (app_id, device_hash) references afterpush.suppressed_devices,
    check ((phase = 'done') = (finished_at is not null)),
    check (phase <> 'done' or device_id is null)
);
create index on afterpush.erasures (requested_at) where finished_at is null;
comment on table afterpush.erasures is 'One job for each erased device, and how far it is.';
comment on column afterpush.erasures.app_id is 'The app.';
comment on column afterpush.erasures.device_hash is 'As in suppressed_devices.';
comment on column afterpush.erasures.device_id is 'The device while the job needs it; null when it is done, and until it is found if only its hash came back.';
comment on column afterpush.erasures.phase is 'What is done next; announced: nothing yet.';
comment on column afterpush.erasures.requested_at is 'When it was asked for, last.';
comment on column afterpush.erasures.after_batch is 'Batches up to this one may hold events of the device.';
comment on column afterpush.erasures.refusals_read is 'Refused events up to this one are looked through.';
comment on column afterpush.erasures.events is 'Events that were deleted.';
comment on column afterpush.erasures.replies is 'Replies that were deleted.';
comment on column afterpush.erasures.deliveries is 'Deliveries that were made anonymous.';
comment on column afterpush.erasures.rejected is 'Refused events that were deleted.';
comment on column afterpush.erasures.finished_at is 'When it was done.';

create table afterpush.sealing (
    singleton boolean primary key default true check (singleton),
    announced_before timestamptz not null default '-infinity',
    announced_at timestamptz not null default '-infinity',
    after_batch bigint,
    retained_at timestamptz not null default '-infinity'
);
insert into afterpush.sealing default values;
comment on table afterpush.sealing is 'One row: what retention is about to seal, and when it ran.';
comment on column afterpush.sealing.singleton is 'Always true.';
comment on column afterpush.sealing.announced_before is 'Events that occurred before this are refused. Hours are sealed up to here, or about to be.';
comment on column afterpush.sealing.announced_at is 'When something was announced last, that or a device.';
comment on column afterpush.sealing.after_batch is 'Batches up to this one may hold such events.';
comment on column afterpush.sealing.retained_at is 'When retention ran to its end, last.';

create table afterpush.late_deliveries (
    delivery_id uuid primary key,
    app_id integer not null
);
comment on table afterpush.late_deliveries is 'Deliveries whose anchor came to be in an hour that was sealed by then: no rollup counts them.';
comment on column afterpush.late_deliveries.delivery_id is 'The delivery.';
comment on column afterpush.late_deliveries.app_id is 'The app.';

-- Storing.

-- Which of some events must not be stored, though the collector did not know it: their places, from 1, and whether it
-- is for their time; else it is for their device.
create function afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamptz[])
returns table (place integer, is_late boolean)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.place::integer, e.occurred_at < z.announced_before
    from unnest(app_ids, device_ids, times) with ordinality as e (app_id, device_id, occurred_at, place)
    cross join afterpush.sealing as z
    where e.occurred_at < z.announced_before
       or exists (
           select
           from afterpush.suppression_keys as k
           join afterpush.suppressed_devices as s using (key_id)
           where s.app_id = e.app_id
             and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
       )
$$;
comment on function afterpush.excluded_events is 'Which of some events are before what is sealed, or of a device that was erased.';

-- Whether a batch has events that were announced lately not to be stored.
create function afterpush.is_excluded(batch bigint) returns boolean
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select
        from afterpush.events as e
        cross join afterpush.sealing as z
        where e.batch_id = batch
          and e.occurred_at < z.announced_before
    ) or exists (
        select
        from afterpush.events as e
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = e.app_id
            and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
        where e.batch_id = batch
          and s.suppressed_at > clock_timestamp() - interval '10 minutes'
    )
$$;
comment on function afterpush.is_excluded is 'Whether a batch has events that were announced lately not to be stored.';

-- Collectors know what was announced within a second; this is for those that don't yet. It runs for each batch, and as
-- the one who stores: a setting of its own would cost more than all the rest.
create function afterpush.check_batch() returns trigger
language plpgsql
as $$
begin
    perform pg_advisory_xact_lock_shared(1634104321);
    if (select announced_at from afterpush.sealing) > clock_timestamp() - interval '10 minutes'
        and afterpush.is_excluded(new.batch_id)
    then
        raise exception 'events are excluded' using errcode = 'AP001';
    end if;
    return null;
end
$$;
comment on function afterpush.check_batch is 'Refuses a batch with events that were announced not to be stored.';
create trigger check_batch after insert on afterpush.batches
    for each row when (new.events > 0)
    execute function afterpush.check_batch();

-- The last batch number that a transaction can have which did not see what is announced by now. Waits for those under
-- way; to be called in a transaction after the one that announced.
create function afterpush.last_unaware_batch() returns bigint
language plpgsql
as $$
begin
    perform pg_advisory_xact_lock(1634104321);
    return (select last_value from afterpush.batch_ids);
end
$$;
comment on function afterpush.last_unaware_batch is 'The last batch that may hold what was announced not to be stored.';

-- Erasure.

-- The id under which the events of a device alone are stored: SHA-256 over app and device, each after its length, as a
-- UUID of version 8.
create function afterpush.device_identity(app integer, device text) returns uuid
language sql immutable parallel safe
return (
    select encode(
        set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex'
    )::uuid
    from substr(
        sha256(
            int4send(4) || int4send(app) || int4send(octet_length(convert_to(device, 'UTF8'))) || convert_to(device, 'UTF8')
        ),
        1, 16
    ) as digest
);
comment on function afterpush.device_identity is 'delivery_id of the events that are about a device alone.';

-- The devices that a refused event names: in device_id, and in its receipt. Also of one that is no JSON any more.
create function afterpush.named_devices(event text) returns text[]
language plpgsql immutable
as $$
declare
    parsed jsonb;
    found text[];
    claims text;
begin
    begin
        parsed := event::jsonb;
        found := array[parsed ->> 'device_id', parsed ->> 'receipt'];
    exception when others then
        found := array[
            substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"'),
            substring(event from '"receipt"\s*:\s*"([^"\\]*)"')
        ];
        begin
            found[1] := ('"' || found[1] || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
    end;
    begin
        claims := translate(split_part(found[2], '.', 2), '-_', '+/');
        found[2] := convert_from(decode(rpad(claims, (length(claims) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'sub';
    exception when others then found[2] := null;
    end;
    return array_remove(found, null);
end
$$;
comment on function afterpush.named_devices is 'The devices that a refused event names.';

-- Suppresses a device and asks for its erasure; again if that was done before.
create function afterpush.request_erasure(app integer, device text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    hash bytea;
    hashing_key integer;
begin
    -- They commit in the order of their numbers, so that whoever has read up to one has missed none.
    perform pg_advisory_xact_lock(hashtext('afterpush.suppressed_devices'));
    -- The hash it is known by, if it is.
    select afterpush.device_hash(device, k.inner_block, k.outer_block), k.key_id
    into hash, hashing_key
    from afterpush.suppression_keys as k
    left join afterpush.suppressed_devices as s
        on s.app_id = app
        and s.device_hash = afterpush.device_hash(device, k.inner_block, k.outer_block)
    order by s.app_id is null, k.key_id
    limit 1;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hashing_key)
    on conflict do nothing;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures as e (app_id, device_hash, device_id, phase)
    values (app, hash, device, 'announced')
    on conflict (app_id, device_hash) do update set
        device_id = excluded.device_id,
        phase = case when e.phase in ('done', 'searching') then 'announced' else e.phase end,
        requested_at = excluded.requested_at,
        refusals_read = 0,
        finished_at = null;
end
$$;
comment on function afterpush.request_erasure is 'Suppresses a device and asks for its erasure.';

-- Suppresses a device of which only the hash is known: from the file beside a spool, after a backup was restored.
-- Returns whether that was news; null if there is no such app.
create function afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    app integer;
    number integer;
begin
    select app_id into app from afterpush.apps where name = app_name;
    if app is null then
        return null;
    end if;
    perform pg_advisory_xact_lock(hashtext('afterpush.suppressed_devices'));
    insert into afterpush.suppression_keys (key) values (hashing_key) on conflict (key) do nothing;
    select key_id into number from afterpush.suppression_keys where key = hashing_key;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, number)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures (app_id, device_hash, phase) values (app, hash, 'announced');
    return true;
end
$$;
comment on function afterpush.restore_suppression is 'Suppresses and erases a device that only its hash is known of.';

-- Deletes what is stored of about `max` deliveries of a device, of up to 5000 events at once, and makes the deliveries
-- anonymous. Returns how much that was: 0 when nothing is left.
create function afterpush.sweep_device(app integer, device text, max integer)
returns table (events bigint, replies bigint, deliveries bigint)
language plpgsql
as $$
declare
    taken uuid[];
    hour timestamptz;
begin
    select array_agg(delivery_id)
    into taken
    from (
        select d.delivery_id
        from afterpush.deliveries as d
        where d.app_id = app
          and d.device_id = device
        order by d.delivery_id
        limit max
    ) as slice;
    if taken is null then
        -- Of the device alone, and of whatever has no delivery.
        taken := array[afterpush.device_identity(app, device)];
    end if;

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
comment on function afterpush.sweep_device is 'Deletes some of what is stored of a device.';

-- The next step of the erasures that are not done: a short transaction, so that a kill costs no more than it.
-- Returns idle, if there are none; busy, while another works; waiting, for batches to be merged or for time to pass;
-- search, if their devices are to be found first (find_erased_devices); else working.
create function afterpush.erase_step(max integer) returns text
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

    -- What was refused is looked through once for all devices that have come this far.
    select min(refusals_read) into read_from from afterpush.erasures where phase = 'refusals';
    if read_from is null then
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
        -- For a moment there may be collectors that keep refused events of the device as they came.
        update afterpush.erasures as e
        set phase = 'done', device_id = null, finished_at = clock_timestamp()
        where e.phase = 'refusals'
          and e.requested_at < clock_timestamp() - interval '2 seconds';
        return case when found then 'working' else 'waiting' end;
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
    set refusals_read = greatest(e.refusals_read, read_to),
        rejected = e.rejected + (
            select count(*) from named where (named.app_id, named.device_hash) = (e.app_id, e.device_hash)
        )
    where e.phase = 'refusals';
    return 'working';
end
$$;
comment on function afterpush.erase_step is 'Does the next step of the oldest erasure that is not done.';

-- Finds the devices that erasures know by their hashes alone, by hashing all there are: rarely, after a restore.
create function afterpush.find_erased_devices() returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    create temporary table found_devices on commit drop as
    select known.app_id, e.device_hash, min(known.device_id) as device_id
    from (
        select d.app_id, d.device_id from afterpush.deliveries as d where d.device_id is not null
        union
        select e.app_id, e.device_id from afterpush.events as e where e.kind >= 'token_registered'
        union
        select r.app_id, named.device
        from afterpush.rejected_events as r
        cross join unnest(afterpush.named_devices(r.event)) as named (device)
    ) as known (app_id, device_id)
    cross join afterpush.suppression_keys as k
    join afterpush.erasures as e
        on e.app_id = known.app_id
        and e.phase = 'searching'
        and e.device_id is null
        and e.device_hash = afterpush.device_hash(known.device_id, k.inner_block, k.outer_block)
    group by 1, 2;
    update afterpush.erasures as e
    set device_id = f.device_id
    from pg_temp.found_devices as f
    where (e.app_id, e.device_hash) = (f.app_id, f.device_hash)
      and e.phase = 'searching';
    -- Nothing is stored of the others.
    update afterpush.erasures as e
    set phase = 'done', finished_at = clock_timestamp()
    where e.phase = 'searching'
      and e.device_id is null;
end
$$;
comment on function afterpush.find_erased_devices is 'Finds the devices of erasures that only know a hash.';

-- Merging.

-- As before, but for the hours that are sealed.
create or replace function afterpush.roll_up(max_events integer) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
set jit = off
set work_mem = '64MB'
as $$
declare
    taken bigint[];
    taken_events bigint;
    emptied timestamptz[];
    sealed timestamptz;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id), sum(events)
    into taken, taken_events
    from (
        select batch_id, events, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events;
    if taken is null then
        return 0;
    end if;

    with merged as materialized (
        select *
        from afterpush.merged_deliveries(taken, null, true)
    ),
    -- This statement's snapshot sees the rows of before, whatever is written below.
    stored as materialized (
        select *
        from afterpush.deliveries
        where delivery_id = any (array(select delivery_id from merged))
    ),
    -- A delivery of a sealed hour stays as it is, and so does what was counted of it.
    frozen as materialized (
        select delivery_id
        from stored
        where sealed > '-infinity'
          and afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) < sealed
          and not exists (select from afterpush.late_deliveries as l where l.delivery_id = stored.delivery_id)
    ),
    -- One that only comes to be in such an hour is kept, and not counted.
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id
        from merged
        where sealed > '-infinity'
          and afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) < sealed
          and delivery_id not in (select delivery_id from frozen)
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries
        select merged.*
        from merged
        where not exists (select from stored)
           or delivery_id not in (select delivery_id from stored)
        order by delivery_id
    ),
    updated as (
        update afterpush.deliveries as d
        set kinds = merged.kinds,
            verified_kinds = merged.verified_kinds,
            platform_standing = merged.platform_standing,
            app_version_standing = merged.app_version_standing,
            campaign_standing = merged.campaign_standing,
            category_standing = merged.category_standing,
            category_version = merged.category_version,
            first_event_at = merged.first_event_at,
            sent_at = merged.sent_at,
            receipt_issued_at = merged.receipt_issued_at,
            confirmed_at = merged.confirmed_at,
            responded_at = merged.responded_at,
            verified_sent_at = merged.verified_sent_at,
            verified_confirmed_at = merged.verified_confirmed_at,
            verified_responded_at = merged.verified_responded_at,
            platform = merged.platform,
            app_version = merged.app_version,
            campaign_id = merged.campaign_id,
            variant = merged.variant,
            category_id = merged.category_id,
            actions = merged.actions
        from merged
        where exists (select from stored)
          and d.delivery_id = merged.delivery_id
          and d.delivery_id not in (select delivery_id from frozen)
    ),
    -- What the touched deliveries add now, less what they added before.
    keyed as not materialized (
        select
            sign,
            app_id,
            afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            coalesce(app_version, '') as app_version,
            coalesce(campaign_id, '') as campaign_id,
            coalesce(variant, '') as variant,
            coalesce(category_id, '') as category_id,
            coalesce(category_version, 0) as category_version,
            coalesce(platform, '') as platform,
            kinds,
            verified_kinds,
            actions,
            coalesce(confirmed_at, sent_at) as reached_at,
            coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at
        from (
            select 1 as sign, *
            from merged
            union all
            select -1, *
            from stored
        ) as touched
        where sealed = '-infinity'
           or afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) >= sealed
          and delivery_id not in (select delivery_id from frozen)
    ),
    -- Most deliveries look like many others: they are counted before anything is derived.
    shapes as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            bits, actions, sum(sign) as deliveries
        from (
            select
                false as verified, kinds as bits, sign, app_id, anchor_hour, app_version, campaign_id, variant,
                category_id, category_version, platform,
                case
                    when actions is null then '{}'
                    when cardinality(actions) = 1 then array[(actions[1]).action_id]
                    else array(select a.action_id from unnest(actions) as a)
                end as actions
            from keyed
            union all
            select
                true, verified_kinds, sign, app_id, anchor_hour, app_version, campaign_id, variant,
                category_id, category_version, platform,
                case
                    when actions is null then '{}'
                    else array(select a.action_id from unnest(actions) as a where a.verified_events > 0)
                end
            from keyed
            where verified_kinds <> 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        having sum(sign) <> 0
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions,
            sum(deliveries) as deliveries,
            sum(deliveries * failed) as failed,
            sum(deliveries * delivered) as delivered,
            sum(deliveries * displayed) as displayed,
            sum(deliveries * opened) as opened,
            sum(deliveries * replied) as replied,
            sum(deliveries * dismissed) as dismissed,
            sum(deliveries * read) as read,
            sum(deliveries * responded) as responded,
            sum(deliveries * converted_events) as converted_events,
            sum(deliveries * replaced) as replaced
        from shapes
        cross join lateral afterpush.states(bits)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ),
    by_app_version as (
        insert into afterpush.rollup_app_versions as r (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        from change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    by_dimension as (
        insert into afterpush.rollup_deliveries as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    action_change as materialized (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            bits & 1 <> 0 as is_sent, bits & 4 <> 0 as is_confirmed, action_id,
            afterpush.time_bucket(duration) as bucket,
            sum(sign) as deliveries, sum(sign * events) as events
        from (
            select
                false as verified, kinds & 5 as bits, sign, app_id, anchor_hour, campaign_id, variant, category_id,
                category_version, platform, a.action_id, a.first_at - reached_at as duration, a.events
            from keyed
            cross join unnest(actions) as a
            where actions is not null
            union all
            select
                true, verified_kinds & 5, sign, app_id, anchor_hour, campaign_id, variant, category_id,
                category_version, platform, a.action_id, a.verified_first_at - verified_reached_at, a.verified_events
            from keyed
            cross join unnest(actions) as a
            where actions is not null
              and verified_kinds <> 0
              and a.verified_events > 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(sign) <> 0 or sum(sign * events) <> 0
    ),
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select *
        from action_change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.anchor_hour, r.deliveries
    )
    select array_agg(distinct anchor_hour)
    into emptied
    from (
        select anchor_hour, deliveries from by_app_version
        union all select anchor_hour, deliveries from by_dimension
        union all select anchor_hour, deliveries from by_action
    ) as r
    where deliveries = 0;

    -- A row that nothing is left of goes, so that tables equal the sum over all deliveries, row for row.
    if emptied is not null then
        delete from afterpush.rollup_app_versions
        using afterpush.apps
        where rollup_app_versions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_deliveries
        using afterpush.apps
        where rollup_deliveries.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_actions
        using afterpush.apps
        where rollup_actions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (taken);
    return taken_events;
end
$$;


-- As before, but for deliveries of sealed hours, of which only a part may be told.
create or replace function afterpush.rollup_rebuild() returns void
language plpgsql
as $$
declare
    sealed timestamptz;
    waiting bigint[];
begin
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;

    create temporary table rebuilt on commit drop as
    select m.* from afterpush.merged_deliveries(null, waiting, false) as m
    where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
      -- Of a delivery of a sealed hour some events may be gone.
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = m.delivery_id
            and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
            and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
      );
    alter table rebuilt add primary key (delivery_id);

    delete from afterpush.deliveries as d
    where not exists (select from rebuilt where rebuilt.delivery_id = d.delivery_id)
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
      and d.device_id is not null;
    insert into afterpush.deliveries as d
    select * from rebuilt
    order by delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_standing = excluded.platform_standing,
        app_version_standing = excluded.app_version_standing,
        campaign_standing = excluded.campaign_standing,
        category_standing = excluded.category_standing,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        actions = excluded.actions
    where d is distinct from excluded;

    delete from afterpush.rollup_app_versions where anchor_hour >= sealed;
    delete from afterpush.rollup_deliveries where anchor_hour >= sealed;
    delete from afterpush.rollup_actions where anchor_hour >= sealed;
    insert into afterpush.rollup_app_versions select * from afterpush.expected_app_versions where anchor_hour >= sealed;
    insert into afterpush.rollup_deliveries select * from afterpush.expected_deliveries where anchor_hour >= sealed;
    insert into afterpush.rollup_actions select * from afterpush.expected_actions where anchor_hour >= sealed;
end
$$;

create or replace function afterpush.rollup_verify()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    ),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    told as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids, false) as m
    )
    select 'deliveries', coalesce(told.delivery_id, d.delivery_id)::text
    from told
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where told is distinct from d
      and case
          when d.delivery_id is not null
          then afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at)
          else afterpush.anchor_hour(told.sent_at, told.receipt_issued_at, told.first_event_at)
      end >= sealed.hour
      and (d.delivery_id is null or d.device_id is not null)
    union all
    select 'rollup_app_versions', difference::text
    from (
        (select * from afterpush.rollup_app_versions except all select * from afterpush.expected_app_versions)
        union all
        (select * from afterpush.expected_app_versions except all select * from afterpush.rollup_app_versions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_deliveries', difference::text
    from (
        (select * from afterpush.rollup_deliveries except all select * from afterpush.expected_deliveries)
        union all
        (select * from afterpush.expected_deliveries except all select * from afterpush.rollup_deliveries)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_actions', difference::text
    from (
        (select * from afterpush.rollup_actions except all select * from afterpush.expected_actions)
        union all
        (select * from afterpush.expected_actions except all select * from afterpush.rollup_actions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
$$;

-- Retention.

-- As before, but for months whose hours are all sealed: they are dropped, and not made again.
create or replace function afterpush.ensure_partitions(at timestamptz, months_back integer, months_ahead integer)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    month timestamptz;
    next_month timestamptz;
    part text;
    made integer := 0;
begin
    for i in -months_back..months_ahead loop
        month := (date_trunc('month', at at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
        next_month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        part := 'events_' || to_char(month at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass('afterpush.' || part) is not null;
        continue when exists (select from afterpush.rollup_worker where sealed_before >= next_month);
        lock table afterpush.events in access exclusive mode;
        -- Someone else may have made it meanwhile.
        continue when to_regclass('afterpush.' || part) is not null;
        execute format('create table afterpush.%I (like afterpush.events including defaults including constraints including comments)',
            part
        );
        if exists (
            select from afterpush.events_default where device_time >= month and device_time < next_month
        ) then
            execute format(
                'with moved as (delete from afterpush.events_default where device_time >= %L and device_time < %L
                 returning *) insert into afterpush.%I select * from moved',
                month, next_month, part
            );
        end if;
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            part, month, next_month
        );
        execute format('comment on table afterpush.%I is %L', part,
                       'Events of one month of device_time, ' || to_char(month at time zone 'UTC', 'YYYY-MM') || ' UTC.');
        made := made + 1;
    end loop;
    return made;
end
$$;

-- The start of the oldest month that is not past, if events are kept for a time: what is before may go.
create function afterpush.past_before(kept interval) returns timestamptz
language sql stable
return coalesce(date_trunc('month', (now() - kept) at time zone 'UTC') at time zone 'UTC', '-infinity');
comment on function afterpush.past_before is 'The start of the oldest month that is still within a time; before everything for no limit.';

-- Says that events before a time are refused from now on. A seal never goes back.
create function afterpush.announce_seal(before timestamptz) returns void
language sql
begin atomic
    update afterpush.sealing
    set announced_before = before, announced_at = clock_timestamp(), after_batch = null
    where announced_before < before;
end;
comment on function afterpush.announce_seal is 'Says that events before a time are refused from now on.';

-- Seals what is announced, in several transactions. Returns waiting, while it is not sealed yet, else sealed.
create function afterpush.advance_seal() returns text
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
        update afterpush.sealing set after_batch = afterpush.last_unaware_batch();
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
    update afterpush.rollup_worker set sealed_before = announced.announced_before;
    return 'sealed';
end
$$;
comment on function afterpush.advance_seal is 'Seals what is announced, once all before it is merged.';

-- The months of events that are past: their names, oldest first.
create function afterpush.past_partitions(before timestamptz) returns setof text
language sql stable
as $$
    select c.relname::text
    from pg_inherits as i
    join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events'::regclass
      and c.relname ~ '^events_\d{4}_\d{2}$'
      and (to_date(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= before
    order by c.relname
$$;
comment on function afterpush.past_partitions is 'The monthly partitions of events that end by a time, oldest first.';

-- Drops the oldest month of events that is sealed as a whole. Events that an unsealed hour still needs move to the
-- default partition: those of clocks that were far off, and of deliveries that were anchored later. Returns its name;
-- null when there is none.
create function afterpush.drop_past_partition() returns text
language plpgsql
as $$
declare
    sealed timestamptz;
    part text;
    waiting bigint[];
begin
    -- Nothing is merged meanwhile, so what is needed now is needed at the end, and what comes in waits.
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select p into part from afterpush.past_partitions(sealed) as p limit 1;
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
comment on function afterpush.drop_past_partition is 'Drops the oldest month of events that is sealed as a whole, but for events that are still needed.';

-- Deletes events of the default partition that no unsealed hour needs. Returns how many; fewer than max at the end.
create function afterpush.purge_default_events(max integer) returns bigint
language plpgsql
as $$
declare
    sealed timestamptz;
    purged bigint;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update;
    delete from afterpush.events_default
    where ctid = any (array(
        select e.ctid
        from afterpush.events_default as e
        where e.occurred_at < sealed
          and not exists (
              select
              from afterpush.deliveries as d
              where d.delivery_id = e.delivery_id
                and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
          )
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
        limit max
    ));
    get diagnostics purged = row_count;
    return purged;
end
$$;
comment on function afterpush.purge_default_events is 'Deletes events of the default partition that no unsealed hour needs.';

-- Deletes deliveries of sealed hours before a time that have no events any more, in `blocks` blocks of the table from
-- `first` on. Returns how many; null behind the end of the table.
create function afterpush.purge_deliveries(before timestamptz, first bigint, blocks integer) returns bigint
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
        returning d.delivery_id
    ),
    marks as (
        delete from afterpush.late_deliveries using purged_ones where late_deliveries.delivery_id = purged_ones.delivery_id
    )
    select count(*) into purged from purged_ones;
    return purged;
end
$$;
comment on function afterpush.purge_deliveries is 'Deletes old deliveries of sealed hours that have no events any more, in some blocks of the table.';

-- The replies whose time has passed: that of their category, as their event states it, else as their delivery has it,
-- else the app's.
create view afterpush.past_replies as
select r.ctid as place
from afterpush.replies as r
cross join lateral (
    select coalesce(
        (
            select e.category_id
            from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) = (r.delivery_id, r.event_id, r.device_time)
        ),
        (select d.category_id from afterpush.deliveries as d where d.delivery_id = r.delivery_id)
    ) as category_id
) as told
cross join lateral (
    select coalesce(
        (
            select c.text_retention
            from afterpush.categories as c
            where c.app_id = r.app_id
              and c.category_id = told.category_id
            order by c.version desc
            limit 1
        ),
        (select a.text_retention from afterpush.apps as a where a.app_id = r.app_id)
    ) as kept
) as retention
where r.stored_at < now() - retention.kept;
comment on view afterpush.past_replies is 'Where the replies are whose time has passed.';

-- Deletes replies whose time has passed. Returns how many; fewer than max at the end.
create function afterpush.purge_replies(max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
begin
    delete from afterpush.replies where ctid = any (array(select place from afterpush.past_replies limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;
comment on function afterpush.purge_replies is 'Deletes replies whose time has passed.';

-- Deletes refused events that arrived before a time. Returns how many; fewer than max at the end.
create function afterpush.purge_rejected(before timestamptz, max integer) returns bigint
language plpgsql
as $$
declare
    purged bigint;
begin
    delete from afterpush.rejected_events
    where ctid = any (array(select ctid from afterpush.rejected_events where received_at < before limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;
comment on function afterpush.purge_rejected is 'Deletes refused events that arrived before a time.';

-- Makes one row of the merged batches of an app and hour that are a week old and hold no events any more, among `max`
-- batches after `after`. Their sums stay. Returns where to go on; null at the end.
create function afterpush.fold_batches(after bigint, max integer) returns bigint
language plpgsql
as $$
declare
    last bigint;
begin
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
comment on function afterpush.fold_batches is 'Makes one row of old batches of an app and hour that hold no events any more.';

-- What retention would do now: a line each, rows that go, estimated for whole months. Null keeps for ever.
create function afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval)
returns table (what text, item text, affected bigint)
language sql stable
as $$
    select
        'events',
        p.part,
        greatest((select c.reltuples from pg_class as c where c.oid = ('afterpush.' || p.part)::regclass), 0)::bigint
    from afterpush.past_partitions(afterpush.past_before(events_kept)) as p (part)
    union all
    select 'deliveries', 'anchored before ' || afterpush.rfc3339(afterpush.past_before(deliveries_kept)), count(*)
    from afterpush.deliveries as d
    where deliveries_kept is not null
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < afterpush.past_before(deliveries_kept)
    having count(*) > 0
    union all
    select 'replies', 'past their category''s or app''s time', count(*)
    from afterpush.past_replies
    having count(*) > 0
    union all
    select 'rejected', 'arrived before ' || afterpush.rfc3339(now() - rejected_kept), count(*)
    from afterpush.rejected_events
    where received_at < now() - rejected_kept
    having count(*) > 0
$$;
comment on function afterpush.retention_plan is 'What retention would do now, a line each.';

-- Why retention must not run now; null if nothing is in the way.
create function afterpush.retention_obstacle() returns text
language sql stable
return case
    when pg_is_in_recovery() then 'the server is a standby'
    when exists (select from afterpush.erasures where finished_at is null and device_id is null)
    then 'a backup was restored, and devices that were erased since are erased anew first'
    when exists (
        select from afterpush.batches where rolled_up_at is null and started_at < now() - interval '10 minutes'
    ) then 'the rollups are more than ten minutes behind'
end;
comment on function afterpush.retention_obstacle is 'Why retention must not run now; null if nothing is in the way.';

-- Goals.

-- What the goals of a campaign were when hours were sealed, once they have changed since.
create table afterpush.sealed_goals (
    app_id integer not null,
    campaign_id text collate "C" not null,
    sealed_from timestamptz not null,
    sealed_before timestamptz not null,
    goal_actions text[] collate "C" not null,
    primary key (app_id, campaign_id, sealed_before)
);
comment on table afterpush.sealed_goals is 'Goals of campaigns, for hours that were sealed before they changed.';
comment on column afterpush.sealed_goals.app_id is 'The app.';
comment on column afterpush.sealed_goals.campaign_id is 'The campaign.';
comment on column afterpush.sealed_goals.sealed_from is 'For anchor hours from here on.';
comment on column afterpush.sealed_goals.sealed_before is 'For anchor hours before this.';
comment on column afterpush.sealed_goals.goal_actions is 'Its goals then; none for one that was not declared.';

create function afterpush.keep_sealed_goals() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    sealed timestamptz := (select sealed_before from afterpush.rollup_worker);
    kept_before timestamptz := (
        select coalesce(max(g.sealed_before), '-infinity')
        from afterpush.sealed_goals as g
        where g.app_id = new.app_id
          and g.campaign_id = new.campaign_id
    );
    goals text[] := '{}';
begin
    if tg_op = 'UPDATE' then
        goals := old.goal_actions;
    end if;
    if sealed > kept_before and goals <> new.goal_actions then
        insert into afterpush.sealed_goals (app_id, campaign_id, sealed_from, sealed_before, goal_actions)
        values (new.app_id, new.campaign_id, kept_before, sealed, goals);
    end if;
    return null;
end
$$;
comment on function afterpush.keep_sealed_goals is 'Keeps a campaign''s goals for the hours that are sealed when they change.';
create trigger keep_sealed_goals after insert or update on afterpush.campaigns
    for each row
    execute function afterpush.keep_sealed_goals();

-- A further version of a category is in force in no hour that is sealed.
create function afterpush.spare_sealed_hours() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    new.effective_from := greatest(new.effective_from, (select sealed_before from afterpush.rollup_worker));
    return new;
end
$$;
comment on function afterpush.spare_sealed_hours is 'Lets a further version of a category begin with the hours that are not sealed.';
create trigger spare_sealed_hours before insert on afterpush.categories
    for each row when (new.version > 1)
    execute function afterpush.spare_sealed_hours();

-- Goals of sealed hours.

-- As before, but for the goals of hours that were sealed before these changed.
create or replace function afterpush.report_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, per text, by text
)
returns table (
    hour timestamptz, campaign_id text, variant text, category_id text, category_version integer, platform text,
    app_version text, base text, in_base boolean, sends bigint, base_count bigint, among_sends boolean,
    deliveries bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint,
    acted bigint, replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint,
    replaced bigint, closed boolean, dismiss_observable boolean, offers_text boolean, offered text[]
)
language sql stable
as $$
    with this_app as (
        select app_id, afterpush.as_of(name) as as_of
        from afterpush.apps
        where name = app
    ),
    declared as (
        select s.app_id, s.campaign_id, date_trunc('hour', max(sent_at) at time zone 'UTC') at time zone 'UTC' as last_hour
        from afterpush.sends as s
        join this_app using (app_id)
        group by s.app_id, s.campaign_id
    ),
    picked as (
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            '' as app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries, r.failed, r.delivered,
            r.displayed, r.opened, r.replied, r.dismissed, r.read, r.responded, r.converted_events, r.replaced,
            0::bigint as declared_sends, false as is_declaration
        from afterpush.rollup_deliveries as r
        join this_app using (app_id)
        where r.verified = report_facts.verified
          and report_facts.by not like '%app_version%'
        union all
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            r.app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries, r.failed, r.delivered,
            r.displayed, r.opened, r.replied, r.dismissed, r.read, r.responded, r.converted_events, r.replaced,
            0, false
        from afterpush.rollup_app_versions as r
        join this_app using (app_id)
        where r.verified = report_facts.verified
          and report_facts.by like '%app_version%'
        union all
        select
            s.app_id, date_trunc('hour', s.sent_at at time zone 'UTC') at time zone 'UTC', s.campaign_id,
            coalesce(s.variant, ''), coalesce(s.category_id, ''), coalesce(s.category_version, 0),
            coalesce(s.platform, ''), '', false, false, '{}', 0, s.failed, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.count, true
        from afterpush.sends as s
        join this_app using (app_id)
    ),
    selected as (
        select
            p.*,
            d.campaign_id is not null as declared,
            d.last_hour,
            by_time,
            -- Declared sends are no base by day or hour, so their deliveries stand outside it there.
            case when d.campaign_id is null then p.is_sent else not by_time end as among_sends
        from picked as p
        cross join (select report_facts.by like '%day%' or report_facts.by like '%hour%') as asked (by_time)
        left join declared as d using (app_id, campaign_id)
        where (report_facts."from" is null or p.anchor_hour >= report_facts."from")
          and (report_facts."to" is null or p.anchor_hour < report_facts."to")
          and (report_facts.campaign is null or p.campaign_id = report_facts.campaign)
          and (report_facts.category is null or p.category_id = report_facts.category)
          and (report_facts.variant is null or p.variant = report_facts.variant)
          and (report_facts.platform is null or p.platform = report_facts.platform)
    ),
    chosen as (
        select case
            when per <> 'auto' then per
            when exists (select from selected where is_declaration or (is_sent and not declared)) then 'sent'
            when exists (select from selected where is_confirmed) then 'confirmed'
            else 'none'
        end as base
    )
    select
        s.anchor_hour,
        s.campaign_id,
        s.variant,
        s.category_id,
        coalesce(v.version, nullif(s.category_version, 0)),
        s.platform,
        s.app_version,
        chosen.base,
        case chosen.base when 'sent' then s.among_sends when 'confirmed' then s.is_confirmed else false end,
        case when s.declared then s.declared_sends else s.is_sent::integer * s.deliveries end,
        case
            when chosen.base = 'confirmed' then s.is_confirmed::integer * s.deliveries
            when chosen.base <> 'sent' then 0
            when s.declared then s.declared_sends
            else s.is_sent::integer * s.deliveries
        end,
        s.among_sends,
        s.deliveries,
        s.failed,
        s.delivered,
        s.is_confirmed::integer * s.deliveries,
        s.displayed,
        s.opened,
        case when s.actions = '{}' then 0 else s.deliveries end,
        s.replied,
        s.dismissed,
        s.read,
        s.responded,
        case
            when case
                when coalesce(v.goals, '{}') = '{}' and coalesce(g.goal_actions, c.goal_actions, '{}') = '{}'
                then not s.actions <@ coalesce(v.destructive, '{}')
                else s.actions && (coalesce(v.goals, '{}') || coalesce(g.goal_actions, c.goal_actions, '{}'))
            end
            then s.deliveries
            else s.converted_events
        end,
        s.replaced,
        case when s.declared then s.last_hour else s.anchor_hour end
            + interval '1 hour' + coalesce(c.response_window, interval '72 hours') <= this_app.as_of,
        case
            when s.platform in ('android', 'web') then true
            when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
            else false
        end,
        coalesce(v.offers_text, false),
        coalesce(v.offered, '{}')
    from selected as s
    cross join this_app
    cross join chosen
    left join afterpush.category_versions as v
        on v.app_id = s.app_id
        and v.category_id = s.category_id
        and case
            when s.category_version > 0 then v.version = s.category_version
            else s.anchor_hour >= v.in_force_from and s.anchor_hour < v.in_force_to
        end
    left join afterpush.campaigns as c
        on c.app_id = s.app_id
        and c.campaign_id = s.campaign_id
    left join afterpush.sealed_goals as g
        on g.app_id = s.app_id
        and g.campaign_id = s.campaign_id
        and s.anchor_hour >= g.sealed_from
        and s.anchor_hour < g.sealed_before
    where not (s.is_declaration and s.by_time)
$$;

-- Who may do what. Retention is the owner's.

revoke select on afterpush.suppressed_devices from afterpush_ingest;
grant select (suppression_id, app_id, device_hash, key_id) on afterpush.suppressed_devices to afterpush_ingest;
grant select on afterpush.sealing, afterpush.suppression_keys to afterpush_ingest;
grant select, insert, delete on afterpush.late_deliveries to afterpush_worker;
grant execute on function afterpush.excluded_events, afterpush.is_excluded, afterpush.device_hash, afterpush.key_block to afterpush_ingest;
grant execute on function afterpush.request_erasure, afterpush.restore_suppression, afterpush.erase_step,
    afterpush.find_erased_devices to afterpush_worker;
grant select (app_id, device_hash, phase, requested_at, events, replies, deliveries, rejected, finished_at)
    on afterpush.erasures to afterpush_worker;
grant select on afterpush.suppression_keys to afterpush_worker;
grant execute on function afterpush.device_hash to afterpush_worker;

alter table afterpush.late_deliveries enable row level security;
alter table afterpush.erasures enable row level security;
alter table afterpush.sealing enable row level security;
alter table afterpush.suppression_keys enable row level security;
create policy serve on afterpush.late_deliveries to afterpush_worker using (true) with check (true);
create policy serve on afterpush.erasures for select to afterpush_worker using (true);
create policy serve on afterpush.sealing for select to afterpush_ingest using (true);
create policy serve on afterpush.suppression_keys for select to afterpush_ingest, afterpush_worker using (true);

grant select on afterpush.sealed_goals to afterpush_report;
alter table afterpush.sealed_goals enable row level security;
create policy report on afterpush.sealed_goals for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
