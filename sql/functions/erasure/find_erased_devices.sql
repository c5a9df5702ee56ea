-- Finds the devices of erasure jobs that have only a hash, by hashing every device that anything is stored about.
--
-- Such jobs exist only after a backup was restored, so it may be slow. A job whose device is not found is done: nothing
-- is stored about it.
create or replace function afterpush.find_erased_devices() returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    create temporary table found_devices on commit drop as
    select known.app_id, e.device_hash, min(known.device_id) as device_id
    from (
        select d.app_id, d.device_id from afterpush.deliveries as d where d.device_id is not null
        union
        select e.app_id, e.device_id from afterpush.events as e where e.notification_id is null
        union
        select r.app_id, named.device
        from afterpush.rejected_events as r
        cross join unnest(afterpush.rejected_event_devices(r.event)) as named (device)
    ) as known (app_id, device_id)
    cross join afterpush.suppression_keys as k
    join afterpush.erasures as e
        on e.app_id = known.app_id
        and e.phase = 'searching'
        and e.device_id is null
        and e.device_hash = afterpush.device_hash(known.device_id, k.inner_block, k.outer_block)
    group by 1, 2;
    update afterpush.erasures as e
    set device_id = f.device_id
    from pg_temp.found_devices as f
    where (e.app_id, e.device_hash) = (f.app_id, f.device_hash)
      and e.phase = 'searching';
    update afterpush.erasures as e
    set phase = 'done', finished_at = clock_timestamp()
    where e.phase = 'searching'
      and e.device_id is null;
end
$$;
comment on function afterpush.find_erased_devices is
    'Finds the devices of erasure jobs that have only a hash; finishes the jobs whose device is not found.';
