-- As before, but one at a time: two that add up the same batches would lose some.
create or replace function afterpush.compact_batches(after bigint, max integer) returns bigint
language plpgsql
as $$
declare
    last bigint;
begin
    perform from afterpush.retention_state for update;
    select max(batch_id)
    into last
    from (select batch_id from afterpush.batches where batch_id > after order by batch_id limit max) as slice;
    if last is null then
        return null;
    end if;
    with folded as materialized (
        select
            max(b.batch_id) as batch_id,
            min(b.started_at) as started_at,
            sum(b.events)::integer as events,
            sum(b.duplicates)::integer as duplicates,
            sum(b.conflicts)::integer as conflicts,
            sum(b.rejected)::integer as rejected,
            array_agg(b.batch_id) as batch_ids
        from afterpush.batches as b
        where b.batch_id > after
          and b.batch_id <= last
          and b.rolled_up_at is not null
          and b.started_at < now() - interval '7 days'
          and not exists (select from afterpush.events as e where e.batch_id = b.batch_id)
        group by b.app_id, date_trunc('hour', b.started_at)
        having count(*) > 1
    ),
    kept as (
        update afterpush.batches as b
        set started_at = f.started_at,
            events = f.events,
            duplicates = f.duplicates,
            conflicts = f.conflicts,
            rejected = f.rejected
        from folded as f
        where b.batch_id = f.batch_id
    )
    delete from afterpush.batches as b
    using folded as f
    where b.batch_id = any (f.batch_ids)
      and b.batch_id <> f.batch_id;
    return last;
end
$$;
comment on function afterpush.compact_batches is
    'Makes one row of old batches of an app and hour that hold no events any more.';
