-- A further version of a category is in force in no hour that is sealed.
create or replace function afterpush.protect_sealed_hours() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    new.effective_from := greatest(new.effective_from, (select sealed_before from afterpush.rollup_worker));
    return new;
end
$$;
comment on function afterpush.protect_sealed_hours is
    'Lets a further version of a category begin with the hours that are not sealed.';

create or replace trigger protect_sealed_hours before insert on afterpush.categories
    for each row when (new.version > 1)
    execute function afterpush.protect_sealed_hours();
