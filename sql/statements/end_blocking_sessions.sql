-- Ends the sessions of dashboards' logins of which one writes or waits for a lock of owners, as end_report_sessions does, but
-- from any database: while such a session waits for a lock of a database, new connections to that wait as well.
-- Runs as the owner, whom role.sql makes a member of each login.
-- Returns the login of each ended session.
with sessions as materialized (
    select
        a.pid,
        a.usesysid,
        case
            when a.backend_xid is not null then true
            when a.wait_event_type = 'Lock'
            then exists (
                select
                from pg_lock_status() as k
                where k.pid = a.pid
                  and not k.granted
                  and k.locktype in ('relation', 'object')
                  and k.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
            )
        end as is_intruder
    from pg_stat_get_activity(null) as a
    where pg_has_role(a.usesysid, 'afterpush_report', 'member')
      and pg_has_role('afterpush_owner', a.usesysid, 'member')
      -- The program's own login can become the owner.
      and not pg_has_role(a.usesysid, 'afterpush_owner', 'member')
),
-- Materialized, so that no other session is ended before its login is compared.
blocking as materialized (
    select s.pid, s.usesysid
    from sessions as s
    where s.usesysid in (select o.usesysid from sessions as o where o.is_intruder)
)
select pg_get_userbyid(b.usesysid)::text
from blocking as b
where pg_terminate_backend(b.pid)
