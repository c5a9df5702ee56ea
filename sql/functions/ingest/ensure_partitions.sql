-- Creates the monthly partitions of events around a time, and moves events there that are in the default partition.
--
-- at: a time in the middle month; months_back, months_ahead: how many months before and after it.
-- Returns how many partitions it created. Months whose hours are all sealed get none: retention dropped theirs.
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
    month timestamptz;
    next_month timestamptz;
    partition text;
    created integer := 0;
begin
    for i in -months_back..months_ahead loop
        month := (date_trunc('month', at at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
        next_month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        partition := 'events_' || to_char(month at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass('afterpush.' || partition) is not null;
        continue when exists (select from afterpush.rollup_worker where sealed_before >= next_month);
        lock table afterpush.events in access exclusive mode;
        -- Another collector may have created it while this one waited for the lock.
        continue when to_regclass('afterpush.' || partition) is not null;
        execute format(
            'create table afterpush.%I (
                 like afterpush.events including defaults including constraints including comments
             )',
            partition
        );
        if exists (
            select from afterpush.events_default where device_time >= month and device_time < next_month
        ) then
            execute format(
                'with moved_events as (
                     delete from afterpush.events_default where device_time >= %L and device_time < %L returning *
                 )
                 insert into afterpush.%I select * from moved_events',
                month, next_month, partition
            );
        end if;
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            partition, month, next_month
        );
        execute format(
            'comment on table afterpush.%I is %L', partition,
            'Events of one month of device_time, ' || to_char(month at time zone 'UTC', 'YYYY-MM') || ' UTC.'
        );
        created := created + 1;
    end loop;
    return created;
end
$$;
comment on function afterpush.ensure_partitions is
    'Creates the monthly partitions of events around a time; returns how many it created.';
