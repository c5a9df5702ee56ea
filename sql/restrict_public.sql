-- Takes from PUBLIC what PostgreSQL lets every login do and what a report must not: lock what isn't a table, write to the
-- disk or to the write-ahead log, and run blocks of PL/pgSQL. The owner of Afterpush's schema keeps it all.
--
-- Only a superuser can run it. Migrations do, if they run as one and the database holds nothing but Afterpush's schema.
-- In a database with other applications, run it if none of them needs what it takes:
--   psql --dbname DATABASE --file sql/restrict_public.sql

do $$
declare
    routine regprocedure;
begin
    for routine in
        select oid
        from pg_catalog.pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
          -- Not those that read or write files, which only superusers can call; nor may the owner.
          and has_function_privilege('public', oid, 'execute')
          -- Unlocking takes nothing from anybody, and the collector unlocks after each report.
          -- The same list is in check_report_limits.sql.
          and (
              proname ~ '^pg_(try_)?advisory_(xact_)?lock'
              or proname ~ '^(be_)?lo_' or proname in ('loread', 'lowrite')
              or proname in ('pg_logical_emit_message', 'pg_export_snapshot')
          )
    loop
        execute format('revoke execute on function %s from public', routine);
        execute format('grant execute on function %s to afterpush_owner', routine);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
    execute format('grant temporary on database %I to afterpush_owner', current_database());
    -- Databases that were made by PostgreSQL 14 or older let everybody create tables there.
    if to_regnamespace('public') is not null then
        revoke create on schema public from public;
    end if;
end
$$;

revoke usage on language plpgsql from public;
grant usage on language plpgsql to afterpush_owner;

-- For open_report, which limits the temporary files and the log lines of the reports that the collector runs. These
-- privileges belong to the whole cluster, whose databases may be migrated at the same time.
do $$
begin
    if not has_parameter_privilege('afterpush_owner', 'temp_file_limit', 'set')
        or not has_parameter_privilege('afterpush_owner', 'log_min_messages', 'set') then
        grant set on parameter temp_file_limit, log_min_messages to afterpush_owner;
    end if;
end
$$;
