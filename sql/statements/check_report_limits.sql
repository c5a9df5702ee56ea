-- What reports and dashboards' logins can do in this database that restrict_public.sql would prevent.
-- Returns a row per kind: what they can do.
select ability
from unnest(array[
    (
        select 'call ' || count(*) || ' functions that lock or write, such as ' || min(proname::text)
        from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
          -- The same list is in restrict_public.sql.
          and (
              proname ~ '^pg_(try_)?advisory_(xact_)?lock'
              or proname ~ '^(be_)?lo_' or proname in ('loread', 'lowrite')
              or proname in ('pg_logical_emit_message', 'pg_export_snapshot')
          )
          and has_function_privilege('afterpush_report', oid, 'execute')
        having count(*) > 0
    ),
    case
        when has_database_privilege('afterpush_report', current_database(), 'temporary')
        then 'create temporary tables'
    end,
    case when has_language_privilege('afterpush_report', 'plpgsql', 'usage') then 'run blocks of PL/pgSQL' end,
    case
        when exists (
            select
            from pg_operator as o
            join pg_proc as p on p.oid = o.oprcode
            where p.proleakproof
              -- The same list is in restrict_public.sql.
              and o.oprleft in ('text'::regtype, 'bpchar'::regtype, 'name'::regtype, 'bytea'::regtype)
              and o.oprrest::text in ('scalarltsel', 'scalarlesel', 'scalargtsel', 'scalargesel', 'prefixsel')
        )
        then 'find names and devices of other apps in the planner''s estimates'
    end,
    (
        select 'create tables in schema ' || string_agg(nspname::text, ', ' order by nspname) || ' (revoke create)'
        from pg_namespace
        where nspname !~ '^pg_'
          and has_schema_privilege('afterpush_report', oid, 'create')
    ),
    case
        when not exists (
            select
            from pg_event_trigger
            -- The same condition is in check_report_logins.sql and role.sql.
            where evtname = 'afterpush_refuse_commands'
              and evtevent = 'ddl_command_start' and evttags is null and evtenabled in ('O', 'A')
        )
        then 'begin commands that lock tables before PostgreSQL refuses them, such as create rule, and so stop all others'
    end,
    case
        when current_setting('temp_file_limit') = '-1'
            and not has_parameter_privilege('afterpush_owner', 'temp_file_limit', 'set')
        then 'fill the disk with temporary files'
    end,
    case
        when not has_parameter_privilege('afterpush_owner', 'log_min_messages', 'set')
        then 'write long lines to the server''s log'
    end,
    case
        when current_setting('max_prepared_transactions') <> '0'
        then 'leave prepared transactions behind (set max_prepared_transactions to 0)'
    end
]) as ability
where ability is not null
