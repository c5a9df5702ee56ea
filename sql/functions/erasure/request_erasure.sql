-- Puts a device on the suppression list and requests its erasure, again if it was erased before.
create or replace function afterpush.request_erasure(app integer, device text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    hash bytea;
    hash_key integer;
begin
    -- Makes rows commit in the order of suppression_id, so that a collector that has read up to one has missed none.
    -- A row, because any login can lock a table with `prepare`, without a privilege.
    perform from afterpush.retention_state for update;
    -- A device that is on the list already keeps its hash; a new one is hashed with the oldest key.
    select afterpush.device_hash(device, k.inner_block, k.outer_block), k.key_id
    into hash, hash_key
    from afterpush.suppression_keys as k
    left join afterpush.suppressed_devices as s
        on s.app_id = app
        and s.device_hash = afterpush.device_hash(device, k.inner_block, k.outer_block)
    order by s.app_id is null, k.key_id
    limit 1;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hash_key)
    on conflict do nothing;
    update afterpush.retention_state set announced_at = clock_timestamp();
    -- A job that is under way goes on. It checks only those rejected events again that may have been stored since it began.
    insert into afterpush.erasures as e (app_id, device_hash, device_id, phase, rejected_at_request)
    values (
        app, hash, device, 'announced',
        coalesce((select max(r.rejection_id) from afterpush.rejected_events as r where r.app_id = app), 0)
    )
    on conflict (app_id, device_hash) do update set
        device_id = excluded.device_id,
        phase = case
            when e.phase in ('done', 'searching') then 'announced'
            when e.phase = 'erasing_texts' then 'checking_rejected'
            else e.phase
        end,
        requested_at = excluded.requested_at,
        rejected_checked = case
            when e.phase in ('done', 'searching') then 0
            else least(e.rejected_checked, e.rejected_at_request)
        end,
        rejected_at_request = case
            when e.phase in ('done', 'searching') then excluded.rejected_at_request
            else e.rejected_at_request
        end,
        rejected_until = null,
        alerts_checked = case when e.alerts_checked = 'infinity' then '-infinity' else e.alerts_checked end,
        names_erased_at = null,
        finished_at = null;
end
$$;
comment on function afterpush.request_erasure is 'Puts a device on the suppression list and requests its erasure.';
