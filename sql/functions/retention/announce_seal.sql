-- Announces a seal: from the commit on, events that occurred before `before` are rejected, and advance_seal can seal
-- the hours. A seal never moves back: an earlier time than the announced one changes nothing. One in the future would
-- reject all events until then, so it is refused, by the clocks of both the database and the collector.
create or replace function afterpush.announce_seal(before timestamptz) returns void
language plpgsql
as $$
begin
    if coalesce(current_setting('afterpush.collector_time', true), '') = '' then
        raise exception 'begin_retention_step has not stated the collector''s clock' using errcode = 'AP002';
    end if;
    if before > afterpush.retention_time() then
        raise exception 'a seal can''t be in the future' using errcode = 'AP002';
    end if;
    update afterpush.retention_state
    set rejected_before = before, announced_at = clock_timestamp(), barrier_batch = null,
        recounts_awaited_since = null
    where rejected_before < before;
end
$$;
comment on function afterpush.announce_seal is
    'Announces a seal: events that occurred before a time are rejected from now on.';
