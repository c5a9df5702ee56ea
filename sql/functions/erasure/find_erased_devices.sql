-- Finds the devices of erasure jobs that have only a hash, by hashing every device that anything is stored about.
--
-- searched_apps, searched_hashes: the jobs, a column each. named_apps, named_devices: the texts of rejected events that
-- can be a device of theirs, a column each; the caller finds them, because events can be made so that it takes long here.
-- Such jobs exist only after a backup was restored, so it may be slow: it reads all deliveries of the jobs'
-- apps, and all their events that belong to none. A job whose device is not found is done: nothing is stored about it.
create or replace function afterpush.find_erased_devices(
    searched_apps integer[], searched_hashes bytea[], named_apps integer[], named_devices text[]
) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    create temporary table found_devices on commit drop as
    select known.app_id, s.device_hash, min(known.device_id) as device_id
    from (
        select d.app_id, d.device_id
        from afterpush.deliveries as d
        where d.app_id = any (searched_apps)
          and d.device_id is not null
        union
        select e.app_id, e.device_id
        from afterpush.events as e
        where e.app_id = any (searched_apps)
          and e.notification_id is null
        union
        select n.app_id, n.device_id from unnest(named_apps, named_devices) as n (app_id, device_id)
    ) as known (app_id, device_id)
    cross join afterpush.suppression_keys as k
    join unnest(searched_apps, searched_hashes) as s (app_id, device_hash)
        on s.app_id = known.app_id
        and s.device_hash = afterpush.device_hash(known.device_id, k.inner_block, k.outer_block)
    group by 1, 2;
    update afterpush.erasures as e
    set device_id = f.device_id
    from pg_temp.found_devices as f
    where (e.app_id, e.device_hash) = (f.app_id, f.device_hash)
      and e.phase = 'searching';
    -- Jobs that have come to this phase meanwhile are searched next time.
    update afterpush.erasures as e
    set phase = 'done', finished_at = clock_timestamp()
    from unnest(searched_apps, searched_hashes) as s (app_id, device_hash)
    where (e.app_id, e.device_hash) = (s.app_id, s.device_hash)
      and e.phase = 'searching'
      and e.device_id is null;
end
$$;
comment on function afterpush.find_erased_devices is
    'Finds the devices of erasure jobs that have only a hash; finishes the jobs whose device is not found.';
