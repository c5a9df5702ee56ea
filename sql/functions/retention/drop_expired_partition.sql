-- Drops the oldest monthly partition of events whose month is sealed as a whole. Returns its name; null if there is
-- none.
--
-- Some of its events may still be needed: those that occurred in an unsealed hour (from devices whose clock was wrong),
-- those of deliveries anchored in an unsealed hour, and those whose batch or verified copy is not merged. They move to
-- the default partition. Too many to be moved under an exclusive lock of events stay: the partition is renamed instead,
-- which ends its name in _kept, and trim_kept_partition deletes its other events.
create or replace function afterpush.drop_expired_partition() returns text
language plpgsql
as $$
declare
    sealed timestamptz;
    partition text;
    unmerged_batches bigint[];
    attempts constant integer := 5;
    max_needed constant integer := 5000;
begin
    -- While this transaction holds these locks, nothing is merged and no delivery changes.
    sealed := afterpush.lock_all_merges();
    select p into partition
    from afterpush.expired_partitions(least(sealed, afterpush.retention_time())) as p
    limit 1;
    if partition is null then
        return null;
    end if;
    -- A copy of the default partition is taken from one that has no events of this month. Its lock comes before that of the
    -- month, as in the step that ends the copy.
    perform from afterpush.default_copy for update;
    execute format(
        'create temporary table needed_events on commit drop as
         select e.*
         from afterpush.%I as e
         left join afterpush.deliveries as d using (delivery_id)
         where e.occurred_at >= %L
            or afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= %L
         limit %s',
        partition, sealed, sealed, max_needed + 1
    );
    -- The exclusive lock is held only from here on. While it waits for a report, storing waits behind it, so it waits only
    -- for moments. Batches that were stored until now are added.
    perform set_config('lock_timeout', '200ms', true);
    for attempt in 1..attempts loop
        begin
            lock table afterpush.events in access exclusive mode;
            exit;
        exception when lock_not_available then
            if attempt = attempts then
                raise;
            end if;
            perform pg_sleep(0.2 + 0.6 * random());
        end;
    end loop;
    select coalesce(array_agg(batch_id), '{}') into unmerged_batches
    from afterpush.batches
    where rolled_up_at is null;
    execute format(
        'insert into pg_temp.needed_events
         (select * from afterpush.%I where batch_id = any ($1) limit %s)
         except select * from pg_temp.needed_events',
        partition, max_needed + 1
    ) using unmerged_batches;
    -- Each is looked up by its key.
    execute format(
        'insert into pg_temp.needed_events
         (
             select e.*
             from afterpush.event_upgrades as u
             cross join lateral (
                 select *
                 from afterpush.%I as p
                 where (p.delivery_id, p.event_id, p.device_time) = (u.delivery_id, u.event_id, u.device_time)
                 offset 0
             ) as e
             limit %s
         )
         except select * from pg_temp.needed_events',
        partition, max_needed + 1
    );
    if (select count(*) from pg_temp.needed_events) > max_needed then
        execute format('alter table afterpush.%I rename to %I', partition, partition || '_kept');
        insert into afterpush.kept_partitions values (partition || '_kept', sealed, 0);
        return partition;
    end if;
    perform afterpush.abandon_default_copy();
    execute format('drop table afterpush.%I', partition);
    insert into afterpush.events select * from pg_temp.needed_events;
    return partition;
end
$$;
comment on function afterpush.drop_expired_partition is
    'Drops the oldest month of events that is sealed as a whole, except for events that are still needed.';
