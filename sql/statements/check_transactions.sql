-- Transactions of clients of this database that have been open for more than $1 seconds.
-- Returns one row: their number; and of the oldest the application name, process id and age in seconds.
select count(*), (array_agg(application_name order by age desc))[1], (array_agg(pid order by age desc))[1], max(age)
from (
    select application_name, pid, extract(epoch from clock_timestamp() - xact_start)::double precision as age
    from pg_stat_activity
    where datname = current_database()
      -- Autovacuum and other workers of the server come and go by themselves.
      and backend_type = 'client backend'
      and pid <> pg_backend_pid()
      and xact_start is not null
) as transactions
where age > $1
