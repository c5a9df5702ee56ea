-- The transaction that holds the lock of the rollup worker.
-- Returns its application name, process id and age in seconds; no row if no worker is in a transaction. The name is '?'
-- if the login may not see activity of other logins.
select
    coalesce(a.application_name, '?'),
    l.pid,
    coalesce(extract(epoch from clock_timestamp() - a.xact_start), 0)::double precision
from pg_locks as l
left join pg_stat_activity as a using (pid)
where l.locktype = 'relation'
  and l.database = (select oid from pg_database where datname = current_database())
  and l.relation = to_regclass('afterpush.rollup_worker')
  and l.mode = 'RowShareLock'
  and l.granted
order by 3 desc
limit 1
