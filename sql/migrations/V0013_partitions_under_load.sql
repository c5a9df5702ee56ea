-- Partitions made while events come in. What changes: the default partition is locked before its events of a month are
-- moved, not after. Otherwise an event that came in between stays behind, and keeps the partition from being attached;
-- with a steady stream of them that would be so each time.

-- Makes the monthly partitions of events from `months_back` before `at` to `months_ahead` after it. Events of such
-- a month that wait in the default partition move over. Returns the number of partitions made. Each month holds up
-- those who write to the default partition, or read all of events, until the transaction ends: the caller sets
-- lock_timeout, and tries again.
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
        -- One at a time; and nobody adds to the default partition what has to move.
        lock table afterpush.events_default in access exclusive mode;
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

-- To see whether anything waits there.
grant select (device_time) on afterpush.events_default to afterpush_worker;
