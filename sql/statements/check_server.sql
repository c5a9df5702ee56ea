-- Facts about the server and its settings.
-- Returns one row: the version as number and as text; whether it accepts writes; its clock in seconds since 1970;
-- fsync, full_page_writes and synchronous_commit; how many connections logins other than superusers can have; how
-- many are open.
select
    current_setting('server_version_num')::integer,
    current_setting('server_version'),
    -- The default of new sessions, not the setting of this one, whose transaction is read only.
    not pg_is_in_recovery()
        and (select reset_val from pg_settings where name = 'default_transaction_read_only') = 'off',
    extract(epoch from clock_timestamp())::double precision,
    current_setting('fsync'),
    current_setting('full_page_writes'),
    current_setting('synchronous_commit'),
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
    (select count(*)::integer from pg_stat_activity where backend_type = 'client backend')
