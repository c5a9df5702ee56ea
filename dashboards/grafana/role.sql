-- Creates the login with which Grafana reads the reports of an app, or changes its password and app. Run it as the owner
-- of Afterpush's database, with the password in the environment variable AFTERPUSH_GRAFANA_PASSWORD:
--   psql "$(afterpush database-url)" -v app=shop -f dashboards/grafana/role.sql
-- Without that variable, psql asks for the password.
--
-- The login is a member of the read-only role afterpush_report, which owns nothing. Row-level security limits it to the
-- app that the table report_logins names, which no login can read. What it can see and use up: docs/report-isolation.md.
\set ON_ERROR_STOP on
\if :{?app} \else \set app '' \endif
\if :{?login} \else \set login grafana \endif
\if :{?password} \else \getenv password AFTERPUSH_GRAFANA_PASSWORD \endif
begin;
set local client_min_messages to warning;
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
