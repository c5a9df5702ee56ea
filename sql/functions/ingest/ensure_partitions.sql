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
comment on function afterpush.ensure_partitions is
    'Makes the monthly partitions of events around a time; returns how many it made.';
