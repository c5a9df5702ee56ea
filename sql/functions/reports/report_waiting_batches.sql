-- The batches of the report's app that the rollups don't include yet.
create or replace function afterpush.report_waiting_batches() returns bigint[]
language sql stable parallel safe
return array(
    select b.batch_id
    from afterpush.batches as b
    where b.rolled_up_at is null
    -- By the index of the app's waiting batches, and not of all that wait.
    order by b.batch_id + 0
);
comment on function afterpush.report_waiting_batches is
    'Returns the batches of the report''s app that the rollups don''t include yet.';
