-- Trigger on declarations: removes the declared name from undeclared_names, which makes room for another one.
--
-- Trigger arguments: the kind of name, the column with the name, and the column with the parent if the kind has one.
-- A new category version also removes its version number.
create or replace function afterpush.remove_undeclared_name() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    declared jsonb := to_jsonb(new);
begin
    delete from afterpush.undeclared_names as u
    where u.app_id = new.app_id
      and u.kind = tg_argv[0]
      and u.parent = coalesce(declared ->> tg_argv[2], '')
      and u.name = declared ->> tg_argv[1];
    if tg_argv[0] = 'category' then
        delete from afterpush.undeclared_names as u
        where u.app_id = new.app_id
          and u.kind = 'category_version'
          and u.parent = declared ->> 'category_id'
          and u.name = declared ->> 'version';
    end if;
    return null;
end
$$;
comment on function afterpush.remove_undeclared_name is
    'Trigger: removes a name from undeclared_names when it is declared.';

create or replace trigger remove_undeclared_name after insert on afterpush.campaigns
    for each row
    execute function afterpush.remove_undeclared_name('campaign', 'campaign_id');

create or replace trigger remove_undeclared_name after insert on afterpush.campaign_variants
    for each row
    execute function afterpush.remove_undeclared_name('variant', 'variant', 'campaign_id');

create or replace trigger remove_undeclared_name after insert on afterpush.categories
    for each row
    execute function afterpush.remove_undeclared_name('category', 'category_id');

create or replace trigger remove_undeclared_name after insert on afterpush.actions
    for each row
    execute function afterpush.remove_undeclared_name('action', 'action_id');
