-- Takes from PUBLIC what PostgreSQL lets every login do and what a report must not: lock what isn't a table, write to the
-- disk or to the write-ahead log, and run blocks of PL/pgSQL. The owner of Afterpush's schema keeps it all. Refuses
-- dashboards' logins commands that wait for locks before PostgreSQL checks who asks. Stops the planner's estimates from
-- revealing texts of other apps.
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

-- A comparison that is marked leakproof may use the planner's samples of all apps' rows under row-level security, too. So
-- `explain` shows a login how many rows are below a text, and by bisecting it reads the texts of other apps. Nothing of
-- Afterpush needs that mark for the order of texts or for their beginnings. Equality keeps it, because policies would
-- else have to be checked before an index is used; it can only confirm a guess.
do $$
declare
    comparison regprocedure;
begin
    for comparison in
        select distinct p.oid
        from pg_catalog.pg_operator as o
        join pg_catalog.pg_proc as p on p.oid = o.oprcode
        where p.proleakproof
          -- The same list is in check_report_limits.sql.
          and o.oprleft in ('text'::regtype, 'bpchar'::regtype, 'name'::regtype, 'bytea'::regtype)
          and o.oprrest::text in ('scalarltsel', 'scalarlesel', 'scalargtsel', 'scalargesel', 'prefixsel')
    loop
        execute format('alter function %s not leakproof', comparison);
    end loop;
end
$$;

-- For some commands, such as `create rule`, PostgreSQL waits for the strongest lock of a table, and all later statements
-- on that table wait behind it, before it finds that the login isn't the owner. An event trigger comes first. Its function
-- also runs in commands of superusers, so only they may change it: it is theirs, in a schema of their own.
--
-- Dashboards' logins are members of afterpush_report. Superusers are members of every role.
create schema if not exists afterpush_guard;
comment on schema afterpush_guard is 'What keeps dashboards'' logins of Afterpush from locking tables.';
create or replace function afterpush_guard.refuse_commands() returns event_trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if pg_has_role(session_user, to_regrole('afterpush_report'), 'member')
        and not pg_has_role(session_user, to_regrole('afterpush_owner'), 'member') then
        raise exception 'permission denied: % only reads reports', session_user
            using errcode = 'insufficient_privilege';
    end if;
end
$$;
comment on function afterpush_guard.refuse_commands is
    'Event trigger: refuses dashboards'' logins every command that changes objects, before it waits for a lock.';
drop event trigger if exists afterpush_refuse_commands;
create event trigger afterpush_refuse_commands on ddl_command_start
    execute function afterpush_guard.refuse_commands();
-- Also in sessions that apply changes of a replica, which skip other triggers.
alter event trigger afterpush_refuse_commands enable always;

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
