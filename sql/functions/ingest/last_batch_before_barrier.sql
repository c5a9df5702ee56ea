-- The last batch number taken by any transaction that may not have seen what is announced by now.
--
-- Waits for all transactions that store batches, so set lock_timeout. Call it in a transaction after the one that
-- announced: a batch with a higher number has seen the announcement.
create or replace function afterpush.last_batch_before_barrier() returns bigint
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in share mode;
    return (select last_value from afterpush.batch_ids);
end
$$;
comment on function afterpush.last_batch_before_barrier is
    'Waits for transactions that store batches, and returns the last batch number that they can have.';
