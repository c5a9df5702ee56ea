-- The roles that own the schema and that grants.sql gives privileges to.
--
-- Roles belong to the whole cluster, so several databases share them. None of them can log in: the collector's login is
-- made a member of all five and switches (`set role`) to the one with the fewest privileges for what it does.

do $$
declare
    name text;
    -- From PostgreSQL 16 on, whoever creates a role is a member, but can't switch to it.
    needed constant text := case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end;
begin
    foreach name in array array[
        'afterpush_owner', 'afterpush_ingest', 'afterpush_worker', 'afterpush_report', 'afterpush_confined'
    ]
    loop
        if not exists (select from pg_catalog.pg_roles where rolname = name) then
            begin
                execute format('create role %I nologin', name);
            exception
                -- Another database of this cluster was migrated at the same time.
                when duplicate_object or unique_violation then null;
            end;
        end if;
        if not pg_catalog.pg_has_role(current_user, name, needed) then
            execute format('grant %I to %I', name, current_user);
        end if;
    end loop;
    -- Logins of dashboards are members of afterpush_report, so it must own nothing. A team's own reports run as
    -- afterpush_confined, which reads the same and owns the function that runs them.
    if not pg_catalog.pg_has_role('afterpush_confined', 'afterpush_report', 'member') then
        begin
            grant afterpush_report to afterpush_confined;
        exception
            when unique_violation then null;
        end;
    end if;
end
$$;

grant usage, create on schema afterpush to afterpush_owner;

comment on schema afterpush is
    'Events about push notifications, with the deliveries, rollups and reports derived from them.';
