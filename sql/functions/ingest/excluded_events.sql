-- Storing.

-- Which of some events must not be stored, though the collector did not know it: their places, from 1, and whether it
-- is for their time; else it is for their device.
create or replace function afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamptz[])
returns table (place integer, is_late boolean)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.place::integer, e.occurred_at < z.announced_before
    from unnest(app_ids, device_ids, times) with ordinality as e (app_id, device_id, occurred_at, place)
    cross join afterpush.sealing as z
    where e.occurred_at < z.announced_before
       or exists (
           select
           from afterpush.suppression_keys as k
           join afterpush.suppressed_devices as s using (key_id)
           where s.app_id = e.app_id
             and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
       )
$$;
comment on function afterpush.excluded_events is
    'Which of some events are before what is sealed, or of a device that was erased.';
