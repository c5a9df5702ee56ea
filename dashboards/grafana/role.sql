-- Creates the login with which Grafana reads the reports of an app, or changes its password and app. Run it as the owner
-- of Afterpush's database, with the password in the environment variable AFTERPUSH_GRAFANA_PASSWORD:
--   psql "$(afterpush database-url)" -v app=shop -f dashboards/grafana/role.sql
-- Without that variable, psql asks for the password.
--
-- The login is a member of the read-only role afterpush_report, which owns nothing. Row-level security limits it to the
-- app that the table report_logins names, which no login can read. What it can see and use up: docs/report-isolation.md.
--
-- It refuses to run where the event trigger of sql/restrict_public.sql is missing, because a login could lock everybody
-- out there. `-v allow_lockouts=yes` makes the login all the same.
\set ON_ERROR_STOP on
\if :{?app} \else \set app '' \endif
\if :{?login} \else \set login grafana \endif
\if :{?allow_lockouts} \else \set allow_lockouts no \endif
\if :{?password} \else \getenv password AFTERPUSH_GRAFANA_PASSWORD \endif
begin;
set local client_min_messages to warning;
-- The roles that it belongs to are on the coordinator of Citus only. Without Citus, this setting means nothing.
set local citus.enable_ddl_propagation to off;
select set_config('afterpush.allow_lockouts', :'allow_lockouts', true) as checked \gset
do $$
begin
    if current_setting('afterpush.allow_lockouts') <> 'yes' and not exists (
        select
        from pg_event_trigger
        -- The same condition is in check_report_limits.sql and check_report_logins.sql.
        where evtname = 'afterpush_refuse_commands'
          and evtevent = 'ddl_command_start' and evttags is null and evtenabled in ('O', 'A')
    ) then
        raise exception 'a dashboard login could lock everybody out of this database'
            using
                detail = 'The event trigger afterpush_refuse_commands is missing or disabled. Without it, whoever has '
                    || 'the login can stop new logins of everybody, and ingest of all apps, until somebody ends a '
                    || 'process of PostgreSQL from outside.',
                hint = 'Let a superuser run: psql --dbname ' || quote_ident(current_database())
                    || ' --file sql/restrict_public.sql. If there is no superuser, and you trust everybody who will '
                    || 'have the login, run role.sql with -v allow_lockouts=yes. See docs/report-isolation.md.';
    end if;
end
$$;
select app_id from afterpush.apps where name = :'app' \gset
select format('create role %I', :'login')
where not exists (select from pg_roles where rolname = :'login') \gexec

-- Row-level security doesn't hold a superuser, and other roles could open more than the reports.
select set_config('afterpush.login', :'login', true) as checked \gset
do $$
begin
    if exists (
        select
        from pg_roles as login
        left join pg_auth_members as membership on membership.member = login.oid
        left join pg_roles as granted on granted.oid = membership.roleid
        where login.rolname = current_setting('afterpush.login')
          and (
              login.rolsuper or login.rolbypassrls or login.rolcreaterole or login.rolcreatedb or login.rolreplication
              or granted.rolname <> 'afterpush_report'
          )
    ) then
        raise exception '% may do more than read reports; use another name', current_setting('afterpush.login');
    end if;
end
$$;

alter role :"login" login inherit connection limit 10;
grant afterpush_report to :"login";
-- So that the collector can end sessions of the login that hold a transaction for more than a minute.
grant :"login" to afterpush_owner;
delete from afterpush.report_logins
where not exists (select from pg_roles where rolname = login and oid = role_id);
insert into afterpush.report_logins (login, role_id, app_id)
select rolname, oid, :'app_id'
from pg_roles
where rolname = :'login'
on conflict (login) do update set role_id = excluded.role_id, app_id = excluded.app_id;

-- Defaults, which the login can change.
alter role :"login" set default_transaction_read_only to on;
alter role :"login" set statement_timeout to '30s';
alter role :"login" set timezone to 'UTC';
alter role :"login" set jit to off;
-- Names without a schema are PostgreSQL's own, whatever others may create in public.
alter role :"login" set search_path to pg_catalog, pg_temp;
-- Limits, which it can't change. Only a superuser, or whoever was given the right, can set them.
select has_parameter_privilege('temp_file_limit', 'set') and has_parameter_privilege('log_min_messages', 'set')
    as sets_limits \gset
\if :sets_limits
alter role :"login" set temp_file_limit to '1GB';
alter role :"login" set log_min_messages to 'fatal';
\else
\warn 'role.sql: a superuser has to limit the login\'s disk space and log lines; run afterpush doctor'
\endif
commit;

\if :{?password}
alter role :"login" password :'password';
\else
\password :login
\endif
