-- The roles that the collector switches to.
-- Returns a row per role: its name, whether it exists, and whether the login can switch to it. From PostgreSQL 16 on,
-- members may be unable to switch.
select
    wanted.name,
    role.oid is not null,
    coalesce(
        pg_has_role(
            current_user, role.oid,
            case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end
        ),
        false
    )
from unnest(array[
    'afterpush_owner', 'afterpush_ingest', 'afterpush_worker', 'afterpush_report', 'afterpush_confined'
]) as wanted (name)
left join pg_roles as role on role.rolname = wanted.name
order by wanted.name
