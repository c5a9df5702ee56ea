-- The oldest transaction that holds the lock of the rollup worker, or that of an app which is merged apart.
-- Returns its application name, process id and age in seconds, and whether it only holds that of an app which is merged
-- apart; no row if no worker is in a transaction. The name is '?' if the login may not see activity of other logins.
select
    coalesce(a.application_name, '?'),
    l.pid,
    coalesce(extract(epoch from clock_timestamp() - a.xact_start), 0)::double precision,
    l.is_apart
from (
    select pid, bool_and(relation = to_regclass('afterpush.apps_merged_apart')) as is_apart
    from pg_locks
    where locktype = 'relation'
      and database = (select oid from pg_database where datname = current_database())
      and relation in (to_regclass('afterpush.rollup_worker'), to_regclass('afterpush.apps_merged_apart'))
      and mode = 'RowShareLock'
      and granted
    group by pid
) as l
left join pg_stat_activity as a using (pid)
order by 3 desc
limit 1
