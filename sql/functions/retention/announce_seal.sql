-- Announces a seal: from the commit on, events that occurred before `before` are rejected, and advance_seal can seal
-- the hours. A seal never moves back: an earlier time than the announced one changes nothing.
create or replace function afterpush.announce_seal(before timestamptz) returns void
language sql
begin atomic
    update afterpush.retention_state
    set rejected_before = before, announced_at = clock_timestamp(), barrier_batch = null
    where rejected_before < before;
end;
comment on function afterpush.announce_seal is
    'Announces a seal: events that occurred before a time are rejected from now on.';
