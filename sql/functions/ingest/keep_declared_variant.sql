-- Trigger on campaign_variants: adds variants that are no longer declared to undeclared_names, so that events that come
-- later can still use them.
create or replace function afterpush.keep_declared_variant() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform afterpush.lock_names(array(select distinct o.app_id from old_variants as o));
    insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
    select o.app_id, 'variant', o.campaign_id, o.variant, 'server'
    from old_variants as o
    order by o.app_id, o.campaign_id, o.variant
    on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    return null;
end
$$;
comment on function afterpush.keep_declared_variant is
    'Trigger: adds variants that are no longer declared to undeclared_names.';

create or replace trigger keep_declared_variant after delete on afterpush.campaign_variants
    referencing old table as old_variants
    for each statement
    execute function afterpush.keep_declared_variant();
