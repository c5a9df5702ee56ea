-- How many rows and index entries of Afterpush's tables this session has read since PostgreSQL last reported its counts,
-- which it does between transactions.
select
    coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)), 0)::bigint as reads
from pg_class as c
where c.relnamespace = 'afterpush'::regnamespace
  and c.relkind in ('r', 'i')
