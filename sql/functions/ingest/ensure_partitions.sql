-- Whether a month's partition can be created under an exclusive lock of events: the default partition, which is searched
-- for events of the month, is small, and has few of them.
create or replace function afterpush.default_partition_is_small(month timestamptz, next_month timestamptz)
returns boolean
language sql volatile
as $$
    select pg_table_size('afterpush.events_default') <= 32 * 1024 * 1024
        and (
            select count(*)
            from (
                select
                from afterpush.events_default as e
                where e.device_time >= month
                  and e.device_time < next_month
                limit 10001
            ) as e
        ) <= 10000
$$;
comment on function afterpush.default_partition_is_small is
    'Returns whether few events would have to be moved from the default partition, and read, to create the partition of a month.';

-- Creates the monthly partitions of events around a time, and moves events there that are in the default partition.
--
-- at: a time in the middle month; months_back, months_ahead: how many months before and after it.
-- Returns how many partitions it created. It leaves out months for which too much would be done under the lock; call
-- split_default_partition afterwards.
--
-- A partition is created as a table, filled, and attached, all under an exclusive lock of events, so callers set
-- lock_timeout. `create table ... partition of` would fail while the default partition has events of the month.
create or replace function afterpush.ensure_partitions(at timestamptz, months_back integer, months_ahead integer)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    missing record;
    created integer := 0;
begin
    for missing in select * from afterpush.missing_partitions(at, months_back, months_ahead) loop
        -- A partition is created from the copy, or after it: the copy replaces the default partition.
        continue when exists (select from afterpush.default_copy)
            or not afterpush.default_partition_is_small(missing.month, missing.next_month);
        lock table afterpush.events in access exclusive mode;
        -- Another collector may have created it while this one waited for the lock, or events may have come.
        continue when to_regclass('afterpush.' || missing.partition) is not null
            or exists (select from afterpush.default_copy)
            or not afterpush.default_partition_is_small(missing.month, missing.next_month);
        execute format(
            'create table afterpush.%I (
                 like afterpush.events including defaults including constraints including comments
             )',
            missing.partition
        );
        execute format(
            'with moved_events as (
                 delete from afterpush.events_default where device_time >= %L and device_time < %L returning *
             )
             insert into afterpush.%I select * from moved_events',
            missing.month, missing.next_month, missing.partition
        );
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            missing.partition, missing.month, missing.next_month
        );
        perform afterpush.describe_partition(missing.partition);
        created := created + 1;
    end loop;
    return created;
end
$$;
comment on function afterpush.ensure_partitions is
    'Creates the monthly partitions of events around a time; returns how many it created.';

-- Keeps texts of devices out of the planner's samples of a table with events.
create or replace function afterpush.leave_texts_unsampled(table_name text) returns void
language plpgsql
as $$
begin
    execute format(
        'alter table afterpush.%I alter column properties set statistics 0, alter column reason set statistics 0',
        table_name
    );
end
$$;
comment on function afterpush.leave_texts_unsampled is
    'Keeps texts of devices out of the planner''s samples of a table with events.';

-- Sets the comment of a monthly partition, and keeps texts of devices out of the planner's samples of it.
create or replace function afterpush.describe_partition(partition text) returns void
language plpgsql
as $$
begin
    execute format(
        'comment on table afterpush.%I is %L', partition,
        'Events of one month of device_time, ' || replace(substring(partition from '\d{4}_\d{2}'), '_', '-') || ' UTC.'
    );
    perform afterpush.leave_texts_unsampled(partition);
end
$$;
comment on function afterpush.describe_partition is 'Sets the comment of a monthly partition of events.';
