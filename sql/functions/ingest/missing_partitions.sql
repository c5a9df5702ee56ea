-- The months around a time that have no partition of events, oldest first.
--
-- at: a time in the middle month; months_back, months_ahead: how many months before and after it.
-- Months whose hours are all sealed are left out: retention dropped their partitions.
create or replace function afterpush.missing_partitions(at timestamptz, months_back integer, months_ahead integer)
returns table (partition text, month timestamptz, next_month timestamptz)
language sql stable
as $$
    select m.partition, m.month, m.next_month
    from (
        select
            'events_' || to_char(utc.month, 'YYYY_MM') as partition,
            utc.month at time zone 'UTC' as month,
            (utc.month + interval '1 month') at time zone 'UTC' as next_month
        from generate_series(-months_back, months_ahead) as i
        cross join lateral (
            select date_trunc('month', at at time zone 'UTC') + make_interval(months => i) as month
        ) as utc
    ) as m
    where to_regclass('afterpush.' || m.partition) is null
      and not exists (select from afterpush.rollup_worker as w where w.sealed_before >= m.next_month)
    order by m.month
$$;
comment on function afterpush.missing_partitions is
    'Returns the months around a time whose partition of events is missing.';
