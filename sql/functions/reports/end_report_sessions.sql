-- Ends sessions of dashboards' logins that have had one transaction, or one statement, open for longer than a time limit,
-- and all sessions of a login that writes or waits for a lock for which it has no privilege. Returns a row per session:
-- its login and its age, which is null if a write or a lock was the reason.
--
-- A login can change its own time limits, and would hold its locks and its snapshot as long as it likes. The age of the
-- statement counts as well, because a block of PL/pgSQL can commit and so begin one transaction after another. The
-- database of the session doesn't matter: locks and snapshots of other databases count, too.
--
-- For some commands, such as `vacuum full` of a partitioned table and `drop database`, PostgreSQL waits for a strong lock
-- before it finds that the login is not the owner, and everybody else waits behind it.
--
-- A login writes nothing, so it has no transaction id, with one exception: PostgreSQL lets each role change its own
-- settings. In a transaction with many savepoints, that takes a place of the server's lock table for each of them.
--
-- Runs as the owner, whom role.sql makes a member of each login, so that it can end the login's sessions. It reads no
-- shared catalog, because a login may have locked one: no view such as pg_stat_activity or pg_roles.
create or replace function afterpush.end_report_sessions(max_age interval)
returns table (login text, age_seconds double precision)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    session record;
begin
    for session in
        with sessions as materialized (
            select
                a.pid,
                l.login,
                extract(
                    epoch from
                    clock_timestamp() - least(a.xact_start, case when a.state = 'active' then a.query_start end)
                ) as age,
                -- The locks are looked up only for sessions that wait.
                case
                    when a.backend_xid is not null then true
                    when a.wait_event_type = 'Lock'
                    then exists (
                        select
                        from pg_lock_status() as k
                        where k.pid = a.pid and not k.granted and k.locktype in ('relation', 'object')
                          and k.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
                    )
                end as is_intruder
            from afterpush.report_logins as l
            join pg_stat_get_activity(null) as a
                on a.usesysid = l.role_id and pg_get_userbyid(a.usesysid) = l.login
        )
        select s.pid, s.login, case when not i.is_intruder then s.age end as age
        from sessions as s
        cross join lateral (
            select coalesce(bool_or(o.is_intruder), false) as is_intruder from sessions as o where o.login = s.login
        ) as i
        where i.is_intruder or s.age > extract(epoch from max_age)
    loop
        begin
            if pg_terminate_backend(session.pid) then
                login := session.login;
                age_seconds := session.age;
                return next;
            end if;
        exception
            -- The owner can't end sessions of superusers. The others are ended all the same.
            when insufficient_privilege then null;
        end;
    end loop;
end
$$;
comment on function afterpush.end_report_sessions is
    'Ends sessions of dashboards'' logins that are too old, write or wait for a lock of owners; returns them.';
