-- Why retention must not run now; null if nothing is in the way.
create or replace function afterpush.retention_blocker() returns text
language sql stable
return case
    when pg_is_in_recovery() then 'the server is a standby'
    when exists (select from afterpush.erasures where finished_at is null and device_id is null)
    then 'a backup was restored, and devices that were erased since are erased anew first'
    when exists (
        select from afterpush.batches where rolled_up_at is null and started_at < now() - interval '10 minutes'
    ) then 'the rollups are more than ten minutes behind'
end;
comment on function afterpush.retention_blocker is
    'Why retention must not run now; null if nothing is in the way.';
