-- Which of some events may not be stored: those from before the announced seal, and those of erased devices.
--
-- The arguments hold a column each: app, device and occurred_at of the events.
-- Returns a row for each suppressed event: its position, from 1, and whether it is too late; otherwise its device was
-- erased.
--
-- Runs as the owner, because role afterpush_ingest may not read the whole suppression list.
create or replace function afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamptz[])
returns table (place integer, is_late boolean)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.place::integer, e.occurred_at < r.rejected_before
    from unnest(app_ids, device_ids, times) with ordinality as e (app_id, device_id, occurred_at, place)
    cross join afterpush.retention_state as r
    where e.occurred_at < r.rejected_before
       or exists (
           select
           from afterpush.suppression_keys as k
           join afterpush.suppressed_devices as s using (key_id)
           where s.app_id = e.app_id
             and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
       )
$$;
comment on function afterpush.suppressed_events is
    'Returns the positions of the given events that are from before the announced seal or of erased devices.';
