-- Combines old batches into one row per app and hour. The retention worker calls it step by step.
--
-- after: the batch after which this step begins.
-- max:   how many batches it looks at.
-- Returns the last batch it looked at, from which the next step goes on; null at the end.
--
-- A batch is combined when it is merged, older than 7 days, and no event carries its number any more; one that never had
-- an event, but only duplicates or rejected events, after a day. The row keeps the greatest batch_id and the earliest
-- start, and the numbers are summed. The lock on `retention_state` lets one step run at a time: two that summed the same batches
-- would lose some.
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

    with combined as materialized (
        select
            max(b.batch_id) as batch_id,
            min(b.started_at) as started_at,
            sum(b.events)::integer as events,
            sum(b.duplicates)::integer as duplicates,
            sum(b.upgrades)::integer as upgrades,
            sum(b.conflicts)::integer as conflicts,
            sum(b.rejected)::integer as rejected,
            array_agg(b.batch_id) as batch_ids
        from afterpush.batches as b
        where b.batch_id > after
          and b.batch_id <= last
          and b.rolled_up_at is not null
          and b.started_at < now() - case when b.events = 0 then interval '1 day' else interval '7 days' end
          and not exists (select from afterpush.events as e where e.batch_id = b.batch_id)
        group by b.app_id, afterpush.hour_of(b.started_at)
        having count(*) > 1
    ),
    kept as (
        update afterpush.batches as b
        set device_slice = null,
            started_at = c.started_at,
            events = c.events,
            duplicates = c.duplicates,
            upgrades = c.upgrades,
            conflicts = c.conflicts,
            rejected = c.rejected
        from combined as c
        where b.batch_id = c.batch_id
    )
    delete from afterpush.batches as b
    using combined as c
    where b.batch_id = any (c.batch_ids)
      and b.batch_id <> c.batch_id;
    return last;
end
$$;
comment on function afterpush.compact_batches is
    'Combines old batches without events into one row per app and hour; returns the last batch it looked at.';
