-- Puts a device of which only the hash is known on the suppression list and requests its erasure. Collectors call it
-- for devices in their suppression file that are not on the list, which means that an older backup was restored.
--
-- app_name, hash, key_bytes: the app, the hash of the device and the key of the hash, from the file.
-- Returns whether the device was missing from the list; null if there is no such app.
create or replace function afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    app integer;
    hash_key integer;
begin
    select app_id into app from afterpush.apps where name = app_name;
    if app is null then
        return null;
    end if;
    -- See request_erasure.
    perform from afterpush.retention_state for update;
    insert into afterpush.suppression_keys (key) values (key_bytes) on conflict (key) do nothing;
    select key_id into hash_key from afterpush.suppression_keys where key = key_bytes;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hash_key)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    update afterpush.retention_state set announced_at = clock_timestamp();
    insert into afterpush.erasures (app_id, device_hash, phase) values (app, hash, 'announced');
    return true;
end
$$;
comment on function afterpush.restore_suppression is
    'Puts a device that is known only by its hash on the suppression list and requests its erasure.';
