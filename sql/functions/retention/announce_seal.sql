-- Says that events before a time are refused from now on. A seal never goes back.
create or replace function afterpush.announce_seal(before timestamptz) returns void
language sql
begin atomic
    update afterpush.sealing
    set announced_before = before, announced_at = clock_timestamp(), after_batch = null
    where announced_before < before;
end;
comment on function afterpush.announce_seal is 'Says that events before a time are refused from now on.';
