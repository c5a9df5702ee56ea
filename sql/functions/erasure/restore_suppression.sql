-- Suppresses a device of which only the hash is known: from the file beside a spool, after a backup was restored.
-- Returns whether that was news; null if there is no such app.
create or replace function afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    app integer;
    number integer;
begin
    select app_id into app from afterpush.apps where name = app_name;
    if app is null then
        return null;
    end if;
    lock table afterpush.suppressed_devices in share row exclusive mode;
    insert into afterpush.suppression_keys (key) values (hashing_key) on conflict (key) do nothing;
    select key_id into number from afterpush.suppression_keys where key = hashing_key;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, number)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures (app_id, device_hash, phase) values (app, hash, 'announced');
    return true;
end
$$;
comment on function afterpush.restore_suppression is
    'Suppresses and erases a device that only its hash is known of.';
