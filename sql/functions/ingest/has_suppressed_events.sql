-- Whether a batch holds suppressed events: events from before the announced seal, or of devices that were put on the
-- suppression list in the last ten minutes. Collectors know of older entries.
--
-- Runs as the owner, because role afterpush_ingest may not read events.
create or replace function afterpush.has_suppressed_events(batch bigint) returns boolean
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with stored as materialized (
        select e.app_id, e.device_id, e.occurred_at from afterpush.events as e where e.batch_id = batch
        union all
        select u.app_id, u.device_id, u.occurred_at from afterpush.event_upgrades as u where u.batch_id = batch
    )
    select exists (
        select
        from stored as e
        cross join afterpush.retention_state as r
        where e.occurred_at < r.rejected_before
    ) or exists (
        select
        from stored as e
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = e.app_id
            and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
        where s.suppressed_at > clock_timestamp() - interval '10 minutes'
    )
$$;
comment on function afterpush.has_suppressed_events is
    'Returns whether a batch holds events from before the announced seal or of recently erased devices.';
