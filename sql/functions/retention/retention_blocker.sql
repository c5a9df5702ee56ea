-- Why retention may not run at the moment, as text for people; null if it may.
--
-- After a restore, retention waits for the search for erased devices, which needs the rows that it would delete. While
-- rollups lag, hours can't be sealed. Events in a spool were acknowledged, and would be rejected if their hours were
-- sealed; a collector that has not reported for a day is no longer waited for.
create or replace function afterpush.retention_blocker() returns text
language sql stable
return case
    when pg_is_in_recovery() then 'the server is a standby'
    when exists (select from afterpush.erasures where finished_at is null and device_id is null)
    then 'after the restore of a backup, devices on the suppression list are being erased again'
    when exists (
        select from afterpush.batches where rolled_up_at is null and started_at < now() - interval '10 minutes'
    ) then 'the rollups are more than ten minutes behind'
    when exists (
        select from afterpush.spools where events > 0 and reported_at > now() - interval '1 day'
    ) then 'the spool of a collector holds events that are not stored yet'
end;
comment on function afterpush.retention_blocker is
    'Returns why retention may not run at the moment; null if it may.';
