-- Creates partitions of months of which the default partition has many events, or whose creation would have to read many,
-- without an exclusive lock of events for longer than a moment.
--
-- The default partition is copied into tables that will replace it: one for each month, and a new default partition.
-- They are partitions of the table events_copy meanwhile, so each event gets into the right one. A trigger repeats each
-- change in the copy. The exclusive lock is taken at the end, to exchange the tables.

-- Takes one step; callers set lock_timeout.
--
-- at, months_back, months_ahead: as in ensure_partitions, which is called before.
-- Returns how many partitions it created, 0 if there is more to do; null if no partition is missing.
create or replace function afterpush.split_default_partition(
    at timestamptz, months_back integer, months_ahead integer
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    copy afterpush.default_copy;
    blocks_at_once constant integer := 50;
begin
    select * into copy from afterpush.default_copy for update;
    if not found then
        if not exists (select from afterpush.missing_partitions(at, months_back, months_ahead)) then
            return null;
        end if;
        perform afterpush.begin_default_copy(at, months_back, months_ahead);
        return 0;
    end if;
    if copy.next_block >= copy.end_block then
        return afterpush.finish_default_copy();
    end if;
    -- The lock of the rows makes a change that follows wait, so that its trigger finds them in the copy. If a change is not
    -- committed yet, the step fails instead of waiting, because changes may lock rows in another order.
    insert into afterpush.events_copy
    select e.*
    from afterpush.events_default as e
    where e.ctid >= format('(%s,0)', copy.next_block)::tid
      and e.ctid < format('(%s,0)', least(copy.next_block + blocks_at_once, copy.end_block))::tid
    for share nowait
    on conflict do nothing;
    update afterpush.default_copy set next_block = next_block + blocks_at_once;
    return 0;
end
$$;
comment on function afterpush.split_default_partition is
    'Takes a step to create partitions of months of which the default partition has many events; returns how many it created.';

-- Creates the tables of the copy, and the trigger that keeps it up to date.
create or replace function afterpush.begin_default_copy(at timestamptz, months_back integer, months_ahead integer)
returns void
language plpgsql
as $$
declare
    missing record;
    new_table constant text := 'create table afterpush.%I (
        like afterpush.events including defaults including constraints including comments
    )';
begin
    insert into afterpush.default_copy (next_block, end_block) values (0, 0) on conflict do nothing;
    if not found then
        -- Another collector has begun.
        return;
    end if;
    create table afterpush.events_copy (
        like afterpush.events including defaults including constraints including comments including indexes
    ) partition by range (device_time);
    perform afterpush.leave_texts_unsampled('events_copy');
    comment on table afterpush.events_copy is 'Partitions that will replace the default partition of events.';
    for missing in select * from afterpush.missing_partitions(at, months_back, months_ahead) loop
        execute format(new_table, missing.partition || '_copy');
        perform afterpush.leave_texts_unsampled(missing.partition || '_copy');
        -- These constraints show that a table can be attached to events, so that it is not read under the lock.
        execute format(
            'alter table afterpush.%I add constraint copied_range check (device_time >= %L and device_time < %L)',
            missing.partition || '_copy', missing.month, missing.next_month
        );
        execute format(
            'alter table afterpush.events_copy attach partition afterpush.%I for values from (%L) to (%L)',
            missing.partition || '_copy', missing.month, missing.next_month
        );
    end loop;
    execute format(new_table, 'events_default_copy');
    perform afterpush.leave_texts_unsampled('events_default_copy');
    execute format(
        'alter table afterpush.events_default_copy add constraint copied_range check (%s)',
        (
            select string_agg(
                format(
                    '(device_time < %L or device_time >= %L)',
                    m.month at time zone 'UTC', (m.month + interval '1 month') at time zone 'UTC'
                ),
                ' and '
            )
            from pg_inherits as i
            join pg_class as c on c.oid = i.inhrelid
            cross join lateral (
                select to_date(substring(c.relname from '^events_(\d{4}_\d{2})'), 'YYYY_MM')::timestamp as month
            ) as m
            where i.inhparent in ('afterpush.events'::regclass, 'afterpush.events_copy'::regclass)
              -- The default partition belongs to no month.
              and i.inhrelid <> 'afterpush.events_default'::regclass
        )
    );
    alter table afterpush.events_copy attach partition afterpush.events_default_copy default;
    -- This waits until transactions have ended that are storing events in the partition.
    create trigger copy_event after insert or update or delete on afterpush.events_default
        for each row execute function afterpush.copy_event();
    update afterpush.default_copy
    set end_block = pg_relation_size('afterpush.events_default') / current_setting('block_size')::integer;
end
$$;
comment on function afterpush.begin_default_copy is
    'Begins to copy the default partition of events into partitions that will replace it.';

-- Exchanges the default partition of events for its copy. Returns how many partitions it created.
create or replace function afterpush.finish_default_copy() returns integer
language plpgsql
as $$
declare
    months text[];
    partition text;
    new_month timestamptz;
begin
    select coalesce(array_agg(substring(c.relname from '^events_\d{4}_\d{2}') order by c.relname), '{}') into months
    from pg_inherits as i
    join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events_copy'::regclass
      and c.relname ~ '^events_\d{4}_\d{2}_copy$';
    lock table afterpush.events in access exclusive mode;
    if exists (select from unnest(months) as m where to_regclass('afterpush.' || m) is not null) then
        -- It was created by hand.
        perform afterpush.abandon_default_copy();
        return 0;
    end if;
    alter table afterpush.events detach partition afterpush.events_default;
    drop table afterpush.events_default;
    -- While events has no default partition, none is searched for events of the months.
    foreach partition in array months loop
        new_month := to_date(right(partition, 7), 'YYYY_MM')::timestamp at time zone 'UTC';
        execute format('alter table afterpush.events_copy detach partition afterpush.%I', partition || '_copy');
        execute format('alter table afterpush.%I rename to %I', partition || '_copy', partition);
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            partition, new_month, (new_month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
        );
        execute format('alter table afterpush.%I drop constraint copied_range', partition);
        perform afterpush.describe_partition(partition);
    end loop;
    alter table afterpush.events_copy detach partition afterpush.events_default_copy;
    alter table afterpush.events_default_copy rename to events_default;
    alter table afterpush.events attach partition afterpush.events_default default;
    alter table afterpush.events_default drop constraint copied_range;
    comment on table afterpush.events_default is 'Events whose device_time lies in a month without a partition.';
    grant select (device_time) on afterpush.events_default to afterpush_worker;
    drop table afterpush.events_copy;
    delete from afterpush.default_copy;
    return cardinality(months);
end
$$;
comment on function afterpush.finish_default_copy is
    'Exchanges the default partition of events for its copy; returns how many partitions it created.';

-- Ends a copy without a result; another one begins from the start.
create or replace function afterpush.abandon_default_copy() returns void
language plpgsql
as $$
begin
    if exists (select from afterpush.default_copy) then
        drop trigger copy_event on afterpush.events_default;
        drop table afterpush.events_copy;
        delete from afterpush.default_copy;
    end if;
end
$$;
comment on function afterpush.abandon_default_copy is 'Ends a copy of the default partition of events without a result.';

-- This file is run when the program was upgraded. The columns of events may be others than those of a copy.
select afterpush.abandon_default_copy();
