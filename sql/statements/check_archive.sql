-- What the server's archiver did last.
-- Returns one row: whether its last attempt failed; the file; the seconds since the last success, null if there was
-- none; how many files wait; how many attempts have failed since the server began to count.
select
    a.last_failed_time is not null and a.last_failed_time > coalesce(a.last_archived_time, '-infinity'),
    a.last_failed_wal,
    extract(epoch from clock_timestamp() - a.last_archived_time)::double precision,
    (select count(*) from pg_ls_archive_statusdir() as f where f.name like '%.ready'),
    a.failed_count
from pg_stat_archiver as a
