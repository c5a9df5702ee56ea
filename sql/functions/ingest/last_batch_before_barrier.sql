-- The last batch number taken by any transaction that may not have seen what is announced by now.
--
-- Waits for all transactions that store batches and hold the ingest barrier now, for lock_timeout at most. Call it in a
-- transaction after the one that announced: a batch with a higher number has seen the announcement. Batches with a lower
-- number may still be stored, by transactions that have seen it, too. What is announced meanwhile is not covered.
--
-- It looks at the locks instead of asking for one that conflicts with them. Any login can lock the barrier like ingest,
-- with `prepare` and without a privilege, and would keep this function waiting; here only roles that may store count.
create or replace function afterpush.last_batch_before_barrier() returns bigint
language plpgsql
as $$
declare
    running text[];
    wait constant interval := nullif(current_setting('lock_timeout')::interval, interval '0');
    start constant timestamptz := clock_timestamp();
begin
    select array_agg(k.virtualtransaction)
    into running
    from pg_catalog.pg_lock_status() as k
    where k.relation = 'afterpush.ingest_barrier'::regclass
      and k.database = (select oid from pg_catalog.pg_database where datname = current_database())
      and k.mode = 'RowExclusiveLock'
      and not exists (
          select
          from pg_catalog.pg_stat_get_activity(k.pid) as a
          where not pg_has_role(a.usesysid, 'afterpush_ingest', 'member')
      );
    while exists (
        select
        from pg_catalog.pg_lock_status() as k
        where k.relation = 'afterpush.ingest_barrier'::regclass
          and k.virtualtransaction = any (running)
    ) loop
        if clock_timestamp() > start + wait then
            raise exception 'transactions that store batches did not end within %', wait
                using errcode = 'lock_not_available';
        end if;
        perform pg_sleep(0.01);
    end loop;
    return (select last_value from afterpush.batch_ids);
end
$$;
comment on function afterpush.last_batch_before_barrier is
    'Waits for transactions that store batches, and returns the last batch number that they can have.';
