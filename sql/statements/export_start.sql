-- What is noted when an export of events or deliveries begins: the end of the sealed hours, as text, the months that are
-- stored, and how often retention has deleted rows besides whole months. $1: events or deliveries.
select
    (select sealed_before::text from afterpush.rollup_worker),
    -- Without the default partition, which a copy can replace, and what retention has kept of months.
    array(
        select i.inhrelid::bigint
        from pg_inherits as i
        join pg_class as c on c.oid = i.inhrelid
        where i.inhparent = 'afterpush.events'::regclass
          and c.relname ~ '^events_\d{4}_\d{2}$'
    ),
    (select steps from afterpush.retention_deletions where what = $1)
