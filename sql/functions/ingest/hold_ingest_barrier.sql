-- The statements that store batches hold the gate before they write a row, and SQL itself has no `lock table`.
create or replace function afterpush.hold_ingest_barrier() returns boolean
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    return true;
end
$$;
comment on function afterpush.hold_ingest_barrier is
    'Keeps ingest_barrier until the transaction ends, beside others that store.';
