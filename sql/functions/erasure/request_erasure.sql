-- Suppresses a device and asks for its erasure; again if that was done before.
create or replace function afterpush.request_erasure(app integer, device text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    hash bytea;
    hashing_key integer;
begin
    -- They commit in the order of their numbers, so that whoever has read up to one has missed none.
    lock table afterpush.suppressed_devices in share row exclusive mode;
    -- The hash it is known by, if it is.
    select afterpush.device_hash(device, k.inner_block, k.outer_block), k.key_id
    into hash, hashing_key
    from afterpush.suppression_keys as k
    left join afterpush.suppressed_devices as s
        on s.app_id = app
        and s.device_hash = afterpush.device_hash(device, k.inner_block, k.outer_block)
    order by s.app_id is null, k.key_id
    limit 1;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hashing_key)
    on conflict do nothing;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures as e (app_id, device_hash, device_id, phase)
    values (app, hash, device, 'announced')
    on conflict (app_id, device_hash) do update set
        device_id = excluded.device_id,
        phase = case when e.phase in ('done', 'searching') then 'announced' else e.phase end,
        requested_at = excluded.requested_at,
        refusals_read = 0,
        finished_at = null;
end
$$;
comment on function afterpush.request_erasure is 'Suppresses a device and asks for its erasure.';
