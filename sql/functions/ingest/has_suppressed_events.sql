-- Whether a batch has events that were announced lately not to be stored.
create or replace function afterpush.has_suppressed_events(batch bigint) returns boolean
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select
        from afterpush.events as e
        cross join afterpush.sealing as z
        where e.batch_id = batch
          and e.occurred_at < z.announced_before
    ) or exists (
        select
        from afterpush.events as e
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = e.app_id
            and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
        where e.batch_id = batch
          and s.suppressed_at > clock_timestamp() - interval '10 minutes'
    )
$$;
comment on function afterpush.has_suppressed_events is
    'Whether a batch has events that were announced lately not to be stored.';
