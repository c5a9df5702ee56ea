-- Logins of dashboards that can do more, or use up more, than role.sql gives them.
-- Returns a row per login and finding: the login; whether it can see or change more than its app's
-- rows, or lock everybody out; what is wrong.
with logins as (
    select r.*
    from afterpush.report_logins as l
    join pg_roles as r on r.rolname = l.login and r.oid = l.role_id
)
select rolname::text, true, 'has rights of an administrator'
from logins
where rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
union all
select l.rolname, true, 'is a member of ' || string_agg(g.rolname::text, ', ' order by g.rolname)
from logins as l
join pg_auth_members as m on m.member = l.oid
join pg_roles as g on g.oid = m.roleid and g.rolname <> 'afterpush_report'
group by l.rolname
union all
select rolname, true, 'owns objects'
from logins
where exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = oid and deptype = 'o')
union all
-- All that a login may read and do comes from afterpush_report.
select
    l.rolname, true,
    'has privileges of its own on '
        || string_agg(pg_describe_object(s.classid, s.objid, 0), ', ' order by s.classid, s.objid)
from logins as l
join pg_shdepend as s on s.refclassid = 'pg_authid'::regclass and s.refobjid = l.oid and s.deptype = 'a'
where s.dbid = (select oid from pg_database where datname = current_database())
group by l.rolname
union all
select rolname, false, 'can create schemas, or temporary tables, in this database'
from logins
where has_database_privilege(oid, current_database(), 'create')
   or has_database_privilege(oid, current_database(), 'temporary')
union all
-- A login can give them to the role that it is a member of. They would take effect if that role could log in.
select r.rolname, false, 'has settings of its own (run alter role ' || r.rolname || ' reset all)'
from pg_roles as r
where r.rolname = 'afterpush_report'
  and exists (select from pg_db_role_setting as s where s.setrole = r.oid)
union all
select g.rolname, true, 'is a member of afterpush_confined, which owns the function that runs reports'
from pg_auth_members as m
join pg_roles as g on g.oid = m.member
where m.roleid = (select oid from pg_roles where rolname = 'afterpush_confined')
  and not pg_has_role(g.oid, 'afterpush_owner', 'member')
union all
select r.rolname, true, 'has a report token in its settings, which every login can read'
from pg_db_role_setting as s
join pg_roles as r on r.oid = s.setrole
where array_to_string(s.setconfig, ' ') ~ 'afterpush\.report_token='
union all
select
    rolname, true,
    'can lock everybody out of PostgreSQL: the event trigger afterpush_refuse_commands is missing or disabled '
        || '(run sql/restrict_public.sql as a superuser)'
from logins
where not exists (
    select
    from pg_event_trigger
    -- The same condition is in check_report_limits.sql and role.sql.
    where evtname = 'afterpush_refuse_commands'
      and evtevent = 'ddl_command_start' and evttags is null and evtenabled in ('O', 'A')
)
union all
select
    l.rolname, false,
    'can also connect to ' || string_agg(d.datname::text, ', ' order by d.datname) || ' (revoke connect from public)'
from logins as l
join pg_database as d
    on d.datallowconn and d.datname <> current_database() and has_database_privilege(l.oid, d.oid, 'connect')
group by l.rolname
union all
select
    rolname, false,
    case when rolconnlimit < 0 then 'can have any number of connections' else 'can have more than ten connections' end
from logins
where rolconnlimit not between 0 and 10
union all
select rolname, false, 'has no limit on temporary files'
from logins
where current_setting('temp_file_limit') = '-1'
  and coalesce(array_to_string(rolconfig, ' '), '') !~ 'temp_file_limit='
union all
select rolname, false, 'can write lines of errors to the server''s log'
from logins
where current_setting('log_min_messages') not in ('fatal', 'panic')
  and coalesce(array_to_string(rolconfig, ' '), '') !~ 'log_min_messages=(fatal|panic)'
  -- check_report_limits.sql says it where nobody can set the limit.
  and has_parameter_privilege('afterpush_owner', 'log_min_messages', 'set')
union all
select rolname, false, 'has no statement_timeout, so a dashboard''s query can run for ever'
from logins
where coalesce(array_to_string(rolconfig, ' '), '') !~ 'statement_timeout=[1-9]'
union all
select rolname, false, 'looks for names in other schemas than PostgreSQL''s own, as logins of an older role.sql do'
from logins
where 'search_path=pg_catalog, pg_temp' <> all (coalesce(rolconfig, '{}'))
union all
select rolname, false, 'can hold transactions open for ever, because afterpush_owner is not a member of it'
from logins
where not pg_has_role('afterpush_owner', oid, 'usage')
order by 1, 2 desc, 3
