-- Why retention may not run at the moment, as text for people; null if it may. After a restore, retention waits for the
-- search for erased devices, which needs the rows that it would delete.
create or replace function afterpush.retention_blocker() returns text
language sql stable
return case
    when pg_is_in_recovery() then 'the server is a standby'
    when exists (select from afterpush.erasures where finished_at is null and device_id is null)
    then 'after the restore of a backup, devices on the suppression list are being erased again'
end;
comment on function afterpush.retention_blocker is
    'Returns why retention may not run at the moment; null if it may.';
