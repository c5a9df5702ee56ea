-- Trigger on declarations: removes the declared names from undeclared_names, which makes room for other ones.
--
-- Trigger arguments: the kind of name, the column with the name, and the column with the parent if the kind has one.
-- A new category version also removes its version number.
--
-- Locks the names of the app, so that reserve_names either sees the declaration or has added its names before. So a
-- transaction should declare what takes long in one statement, after which this trigger runs, and then end.
create or replace function afterpush.remove_undeclared_name() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    app_ids integer[];
    parents text[];
    names text[];
    versions text[];
begin
    select array_agg(d.app_id), array_agg(d.parent), array_agg(d.name), array_agg(d.version)
    into app_ids, parents, names, versions
    from (
        select distinct
            n.app_id, coalesce(n.columns ->> tg_argv[2], '') as parent, n.columns ->> tg_argv[1] as name,
            case when tg_argv[0] = 'category' then n.columns ->> 'version' end as version
        from (select d.app_id, to_jsonb(d) as columns from declared as d) as n
    ) as d;
    if app_ids is null then
        return null;
    end if;
    perform afterpush.lock_names(app_ids);
    delete from afterpush.undeclared_names as u
    using unnest(app_ids, parents, names) as d (app_id, parent, name)
    where (u.app_id, u.kind, u.parent, u.name) = (d.app_id, tg_argv[0], d.parent, d.name);
    if tg_argv[0] = 'category' then
        delete from afterpush.undeclared_names as u
        using unnest(app_ids, names, versions) as d (app_id, parent, name)
        where (u.app_id, u.kind, u.parent, u.name) = (d.app_id, 'category_version', d.parent, d.name);
    end if;
    return null;
end
$$;
comment on function afterpush.remove_undeclared_name is
    'Trigger: removes names from undeclared_names when they are declared.';

create or replace trigger remove_undeclared_name after insert on afterpush.campaigns
    referencing new table as declared
    for each statement
    execute function afterpush.remove_undeclared_name('campaign', 'campaign_id');

create or replace trigger remove_undeclared_name after insert on afterpush.campaign_variants
    referencing new table as declared
    for each statement
    execute function afterpush.remove_undeclared_name('variant', 'variant', 'campaign_id');

create or replace trigger remove_undeclared_name after insert on afterpush.categories
    referencing new table as declared
    for each statement
    execute function afterpush.remove_undeclared_name('category', 'category_id');

create or replace trigger remove_undeclared_name after insert on afterpush.actions
    referencing new table as declared
    for each statement
    execute function afterpush.remove_undeclared_name('action', 'action_id');
