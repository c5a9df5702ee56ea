-- What is noted when an export of events begins: the end of the sealed hours, as text, and the months that are stored.
select
    (select sealed_before::text from afterpush.rollup_worker),
    array(select inhrelid::bigint from pg_inherits where inhparent = 'afterpush.events'::regclass)
