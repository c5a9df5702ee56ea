-- Creates the login with which Grafana reads the reports of an app, or changes its password and app. Run it as the owner
-- of Afterpush's database:
--   psql "$(afterpush database-url)" -v app=shop -v password=... -f dashboards/grafana/role.sql
-- The login is a member of the read-only role afterpush_report. Row-level security limits it to the app whose token it
-- has.
\set ON_ERROR_STOP on
\if :{?app} \else \set app '' \endif
\if :{?login} \else \set login grafana \endif
select format('create role %I', :'login')
where not exists (select from pg_roles where rolname = :'login') \gexec
alter role :"login" login inherit password :'password';
grant afterpush_report to :"login";
select report_token from afterpush.apps where name = :'app' \gset
alter role :"login" set "afterpush.report_token" to :'report_token';
alter role :"login" set default_transaction_read_only to on;
alter role :"login" set statement_timeout to '30s';
alter role :"login" set timezone to 'UTC';
alter role :"login" set jit to off;
