-- Fails with disk_full (53100) if the disk of the database has no room for a mebibyte, which a sort with little memory
-- writes to temporary files. Sent as one message, so that the settings end with it.
set local work_mem = '64kB';
set local temp_tablespaces = '';
select count(distinct repeat(md5(n::text), 32)) from generate_series(1, 1000) as n
