-- Locks the ingest barrier in shared fashion until the transaction ends. Statements that store batches call it before
-- they write their first row; it is a function because SQL has no `lock table` inside a query.
--
-- Transactions that store batches block neither each other nor anybody else; last_batch_before_barrier waits for them.
create or replace function afterpush.hold_ingest_barrier() returns boolean
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    return true;
end
$$;
comment on function afterpush.hold_ingest_barrier is
    'Locks the ingest barrier until the transaction ends, together with other transactions that store batches.';
