-- What drop_expired_partition leaves of months that have too many events that are still needed.

-- Deletes expired events that are not needed from some blocks of a kept partition.
--
-- Returns how many it deleted; null once nothing is left to do. An event is needed while its delivery is anchored in an
-- unsealed hour, or its batch or a verified copy of it is not merged.
create or replace function afterpush.trim_kept_partition() returns bigint
language plpgsql
as $$
declare
    kept afterpush.kept_partitions;
    sealed timestamptz;
    purged bigint;
    blocks_at_once constant integer := 100;
begin
    if not exists (select from afterpush.kept_partitions where next_block is not null) then
        return null;
    end if;
    sealed := afterpush.lock_all_merges();
    select * into kept from afterpush.kept_partitions where next_block is not null order by partition limit 1 for update;
    if not found then
        return null;
    end if;
    execute format(
        'delete from afterpush.%I as e
         where e.ctid >= %L::tid
           and e.ctid < %L::tid
           and e.occurred_at < %L
           and not exists (
               select
               from afterpush.deliveries as d
               where d.delivery_id = e.delivery_id
                 and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= %L
           )
           and not exists (
               select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null
           )
           and not exists (
               select
               from afterpush.event_upgrades as u
               where (u.delivery_id, u.event_id, u.device_time) = (e.delivery_id, e.event_id, e.device_time)
           )',
        kept.partition, format('(%s,0)', kept.next_block), format('(%s,0)', kept.next_block + blocks_at_once),
        least(kept.expired_before, sealed), sealed
    );
    get diagnostics purged = row_count;
    update afterpush.retention_deletions set steps = steps + 1 where what = 'events' and purged > 0;
    kept.next_block := kept.next_block + blocks_at_once;
    update afterpush.kept_partitions as k
    set next_block = case
        when kept.next_block * current_setting('block_size')::bigint
            < pg_relation_size(format('afterpush.%I', k.partition)::regclass)
        then kept.next_block
    end
    where k.partition = kept.partition;
    return purged;
end
$$;
comment on function afterpush.trim_kept_partition is
    'Deletes expired events that are not needed from some blocks of a kept partition; returns how many.';

-- Lets trim_kept_partition delete what has expired since from all kept partitions.
create or replace function afterpush.trim_kept_partitions_again() returns void
language plpgsql
as $$
begin
    update afterpush.kept_partitions
    set expired_before = least((select sealed_before from afterpush.rollup_worker), afterpush.retention_time()),
        next_block = 0;
end
$$;
comment on function afterpush.trim_kept_partitions_again is
    'Lets what has expired since be deleted from all kept partitions.';

-- Drops kept partitions without any event, once a vacuum has truncated them. Returns how many.
create or replace function afterpush.drop_empty_kept_partitions() returns integer
language plpgsql
as $$
declare
    empty text;
    dropped integer := 0;
begin
    perform set_config('lock_timeout', '200ms', true);
    for empty in
        select k.partition
        from afterpush.kept_partitions as k
        where pg_relation_size(format('afterpush.%I', k.partition)::regclass) = 0
    loop
        -- Later events of its month go to the default partition. A copy of that accepts none of this month.
        perform from afterpush.default_copy for update;
        lock table afterpush.events in access exclusive mode;
        continue when pg_relation_size(format('afterpush.%I', empty)::regclass) > 0;
        perform afterpush.abandon_default_copy();
        execute format('drop table afterpush.%I', empty);
        delete from afterpush.kept_partitions where partition = empty;
        dropped := dropped + 1;
    end loop;
    return dropped;
exception when lock_not_available then
    -- The next run does it.
    return 0;
end
$$;
comment on function afterpush.drop_empty_kept_partitions is
    'Drops partitions that retention kept and that have no events any more; returns how many.';
