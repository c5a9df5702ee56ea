-- Trigger on categories: a version after the first comes into force at the end of the sealed hours at the earliest, so
-- that the rates of sealed hours don't change.
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
    'Trigger: moves effective_from of a new category version to the end of the sealed hours, if it is earlier.';

create or replace trigger protect_sealed_hours before insert on afterpush.categories
    for each row when (new.version > 1)
    execute function afterpush.protect_sealed_hours();
