-- The oldest batch of an app that the rollups don't include yet; no row if none waits. By the index of the app's waiting
-- batches (V0046_indexes_of_apps), whatever waits of other apps.
--
-- PostgreSQL inlines this function into its caller: keep it one select without `set`.
create or replace function afterpush.oldest_waiting_batch(app integer) returns setof afterpush.batches
language sql stable
as $$
    select b.*
    from afterpush.batches as b
    where b.app_id = app
      and b.rolled_up_at is null
    order by b.batch_id + 0
    limit 1
$$;
comment on function afterpush.oldest_waiting_batch is
    'Returns the oldest batch of an app that the rollups don''t include yet.';
