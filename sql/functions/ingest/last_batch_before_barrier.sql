-- The last batch number that a transaction can have which did not see what is announced by now. Waits for those under
-- way; to be called in a transaction after the one that announced.
create or replace function afterpush.last_batch_before_barrier() returns bigint
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in share mode;
    return (select last_value from afterpush.batch_ids);
end
$$;
comment on function afterpush.last_batch_before_barrier is
    'The last batch that may hold what was announced not to be stored.';
