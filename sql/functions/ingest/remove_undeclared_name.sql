-- What is declared needs no place among what isn't.
create or replace function afterpush.remove_undeclared_name() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    declared jsonb := to_jsonb(new);
begin
    delete from afterpush.undeclared_names as s
    where s.app_id = new.app_id
      and s.kind = tg_argv[0]
      and s.parent = coalesce(declared ->> tg_argv[2], '')
      and s.name = declared ->> tg_argv[1];
    if tg_argv[0] = 'category' then
        delete from afterpush.undeclared_names as s
        where s.app_id = new.app_id
          and s.kind = 'category_version'
          and s.parent = declared ->> 'category_id'
          and s.name = declared ->> 'version';
    end if;
    return null;
end
$$;
comment on function afterpush.remove_undeclared_name is 'Takes a name that was just declared out of those that are not.';

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
