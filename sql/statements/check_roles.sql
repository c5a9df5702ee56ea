-- Each role that the collector takes on: its name, whether it is there, whether the login may become it.
select
    wanted.name,
    role.oid is not null,
    coalesce(pg_has_role(current_user, role.oid, 'member'), false)
from unnest(array['afterpush_owner', 'afterpush_ingest', 'afterpush_worker', 'afterpush_report']) as wanted (name)
left join pg_roles as role on role.rolname = wanted.name
order by wanted.name
