-- The statements that store batches hold the gate before they write a row, and SQL itself has no `lock table`.
create function afterpush.hold_batch_gate() returns boolean
language plpgsql
as $$
begin
    lock table afterpush.batch_gate in row exclusive mode;
    return true;
end
$$;
comment on function afterpush.hold_batch_gate is 'Keeps batch_gate until the transaction ends, beside others that store.';
grant execute on function afterpush.hold_batch_gate to afterpush_ingest;

-- A table of no columns is one to PostgreSQL, but not to every tool that reads a schema.
alter table afterpush.batch_gate add column nothing boolean;
comment on column afterpush.batch_gate.nothing is 'Nothing: there are no rows.';
