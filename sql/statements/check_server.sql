-- What the server is and how it is set: one row.
-- Returns version as number and as text; whether it takes writes; its clock, in seconds since the epoch; fsync,
-- full_page_writes and synchronous_commit; connections that others than superusers may have, and that are open.
select
    current_setting('server_version_num')::integer,
    current_setting('server_version'),
    -- What a session starts with: the one that asks is read-only by its own will.
    not pg_is_in_recovery()
        and (select reset_val from pg_settings where name = 'default_transaction_read_only') = 'off',
    extract(epoch from clock_timestamp())::double precision,
    current_setting('fsync'),
    current_setting('full_page_writes'),
    current_setting('synchronous_commit'),
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
    (select count(*)::integer from pg_stat_activity where backend_type = 'client backend')
