-- Locks the ingest barrier in shared fashion until the transaction ends. Statements that store batches call it before
-- they write their first row; it is a function because SQL has no `lock table` inside a query.
--
-- Transactions that store batches block neither each other nor anybody else; last_batch_before_barrier waits for them.
--
-- list_position: the suppression_id up to which the group's events were compared with the suppression list.
-- longest_wait: how long the rest of the transaction waits for any other lock; null for the session's lock_timeout.
-- Fails with SQLSTATE AP003 if a device was erased since, unless that was within the last nine minutes: those are found by
-- trigger enforce_suppression. So a program that was suspended for longer can't store what it had checked before.
create or replace function afterpush.hold_ingest_barrier(list_position bigint, longest_wait text default null)
returns boolean
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    -- In order, so that it reads only what came after the position, whatever the planner expects there.
    if exists (
        select
        from (
            select s.suppressed_at
            from afterpush.suppressed_devices as s
            where s.suppression_id > list_position
            order by s.suppression_id
            offset 0
        ) as later
        where later.suppressed_at < clock_timestamp() - interval '9 minutes'
    ) then
        raise exception 'the events were compared with a list of erased devices that is too old'
            using errcode = 'AP003';
    end if;
    if longest_wait is not null then
        perform set_config('lock_timeout', longest_wait, true);
    end if;
    return true;
end
$$;
comment on function afterpush.hold_ingest_barrier is
    'Locks the ingest barrier until the transaction ends, together with other transactions that store batches.';
