-- The roles that the collector switches to.
-- Returns a row per role: its name, whether it exists, and whether the login is a member of it.
select
    wanted.name,
    role.oid is not null,
    coalesce(pg_has_role(current_user, role.oid, 'member'), false)
from unnest(array[
    'afterpush_owner', 'afterpush_ingest', 'afterpush_worker', 'afterpush_report', 'afterpush_confined'
]) as wanted (name)
left join pg_roles as role on role.rolname = wanted.name
order by wanted.name
