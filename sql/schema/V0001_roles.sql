-- The schema and the roles that everything else is granted to.
-- Roles belong to the whole cluster, so several databases may share them; they cannot log in. The collector's
-- login is made a member of each and takes on the narrowest that serves (`set role`).

do $$
declare
    name text;
begin
    foreach name in array array['afterpush_owner', 'afterpush_ingest', 'afterpush_worker', 'afterpush_report']
    loop
        if not exists (select from pg_catalog.pg_roles where rolname = name) then
            begin
                execute format('create role %I nologin', name);
            exception
                -- Another database of this cluster was migrated at the same moment.
                when duplicate_object or unique_violation then null;
            end;
        end if;
        if not pg_catalog.pg_has_role(current_user, name, 'member') then
            execute format('grant %I to %I', name, current_user);
        end if;
    end loop;
end
$$;

grant usage, create on schema afterpush to afterpush_owner;

comment on schema afterpush is 'What devices reported about push notifications, and the reports over it.';
