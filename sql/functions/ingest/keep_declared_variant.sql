-- Trigger on campaign_variants: adds a variant that is no longer declared to undeclared_names, so that events that come
-- later can still use it.
create or replace function afterpush.keep_declared_variant() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
    values (old.app_id, 'variant', old.campaign_id, old.variant, 'server')
    on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    return null;
end
$$;
comment on function afterpush.keep_declared_variant is
    'Trigger: adds a variant that is no longer declared to undeclared_names.';

create or replace trigger keep_declared_variant after delete on afterpush.campaign_variants
    for each row
    execute function afterpush.keep_declared_variant();
