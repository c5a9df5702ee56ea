-- Locks the undeclared names of some apps until the transaction ends.
--
-- Events with new names wait for this lock, so a transaction must take it as late as possible. Rows are locked, because
-- any role may take advisory locks; and not the rows of apps, which declarations lock for as long as they take.
create or replace function afterpush.lock_names(app_ids integer[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into afterpush.name_locks (app_id)
    select distinct a.app_id
    from unnest(app_ids) as a (app_id)
    order by a.app_id
    on conflict do nothing;
    perform
    from afterpush.name_locks as l
    where l.app_id = any (app_ids)
    order by l.app_id
    for update;
end
$$;
comment on function afterpush.lock_names is
    'Locks the undeclared names of some apps until the transaction ends.';
