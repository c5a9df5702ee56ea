-- The names of the monthly partitions of events whose month ends at or before a time, oldest first.
create or replace function afterpush.expired_partitions(before timestamptz) returns setof text
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
comment on function afterpush.expired_partitions is
    'Returns the monthly partitions of events that end at or before a time, oldest first.';
