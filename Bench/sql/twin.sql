-- Creates an empty table for COPY, with the columns, keys, checks and monthly partitions of afterpush.events.
create schema if not exists bench;
drop table if exists bench.twin;
create table bench.twin (like afterpush.events including all) partition by range (device_time);
create table bench.twin_default partition of bench.twin default;

select format(
    'create table bench.%I partition of bench.twin %s',
    replace(p.relname, 'events', 'twin'),
    pg_get_expr(p.relpartbound, p.oid)
)
from pg_inherits as i
join pg_class as p on p.oid = i.inhrelid
where i.inhparent = 'afterpush.events'::regclass
  and pg_get_expr(p.relpartbound, p.oid) <> 'DEFAULT'
\gexec
