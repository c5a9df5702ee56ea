-- Deletes events of sealed hours from the default partition, which is never dropped as a whole.
--
-- An event stays while its delivery is anchored in an unsealed hour, or its batch or a verified copy of it is not merged.
-- Returns how many it deleted; fewer than max once it is done.
create or replace function afterpush.purge_default_events(max integer) returns bigint
language plpgsql
as $$
declare
    sealed timestamptz;
    purged bigint;
begin
    sealed := least(afterpush.lock_all_merges(), afterpush.retention_time());
    delete from afterpush.events_default
    where ctid = any (array(
        select e.ctid
        from afterpush.events_default as e
        where e.occurred_at < sealed
          and not exists (
              select
              from afterpush.deliveries as d
              where d.delivery_id = e.delivery_id
                and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
          )
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
          and not exists (
              select
              from afterpush.event_upgrades as u
              where (u.delivery_id, u.event_id, u.device_time) = (e.delivery_id, e.event_id, e.device_time)
          )
        limit max
    ));
    get diagnostics purged = row_count;
    update afterpush.retention_deletions set steps = steps + 1 where what = 'events' and purged > 0;
    return purged;
end
$$;
comment on function afterpush.purge_default_events is
    'Deletes events of sealed hours from the default partition; returns how many.';
