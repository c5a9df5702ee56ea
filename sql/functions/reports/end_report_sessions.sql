-- Ends sessions of dashboards' logins that have had one transaction, or one statement, open for longer than a time limit.
--
-- A login can change its own time limits, and would hold its locks and its snapshot as long as it likes. The age of the
-- statement counts as well, because a block of PL/pgSQL can commit and so begin one transaction after another. The
-- database of the session doesn't matter: locks and snapshots of other databases count, too.
--
-- Runs as the owner, whom role.sql makes a member of each login, so that it can end the login's sessions.
create or replace function afterpush.end_report_sessions(max_age interval)
returns table (login text, age_seconds double precision)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
    with old as materialized (
        select pid, login, age_seconds
        from pg_stat_activity as a
        join afterpush.report_logins as l on l.login = a.usename and l.role_id = a.usesysid
        -- The owner can't end sessions of superusers, and the error would spare the others, too.
        join pg_roles as r on r.oid = l.role_id and not r.rolsuper
        cross join extract(
            epoch from clock_timestamp() - least(xact_start, case when state = 'active' then query_start end)
        ) as age_seconds
        where age_seconds > extract(epoch from max_age)
    )
    select login::text, age_seconds::double precision
    from old
    where pg_terminate_backend(pid)
$$;
comment on function afterpush.end_report_sessions is
    'Ends sessions of dashboards'' logins whose transaction or statement is older than a time limit; returns them.';
