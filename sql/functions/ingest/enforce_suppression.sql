-- Trigger on batches: fails the transaction with SQLSTATE AP001 if the batch holds suppressed events.
--
-- Collectors reject suppressed events themselves, and know of a seal or an erasure within a second of its announcement.
-- This trigger catches the events that slip through in between. On AP001 the collector asks suppressed_events which
-- they are, rejects them and stores the rest.
--
-- It locks the ingest barrier, so that sealing and erasing wait for this transaction. The check is skipped when nothing
-- was announced in the last ten minutes: hold_ingest_barrier refuses groups that were checked with a list that old.
--
-- It runs for every batch, so it has neither `security definer` nor a search_path of its own: setting one would cost
-- more than the rest of it. has_suppressed_events has both, and runs rarely.
create or replace function afterpush.enforce_suppression() returns trigger
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    if (select announced_at from afterpush.retention_state) > clock_timestamp() - interval '10 minutes'
        and afterpush.has_suppressed_events(new.batch_id)
    then
        raise exception 'batch % holds events of erased devices or sealed hours', new.batch_id using errcode = 'AP001';
    end if;
    return null;
end
$$;
comment on function afterpush.enforce_suppression is
    'Trigger: refuses a batch with events of erased devices or sealed hours (SQLSTATE AP001).';

create or replace trigger enforce_suppression after insert on afterpush.batches
    for each row when (new.events > 0 or new.upgrades > 0)
    execute function afterpush.enforce_suppression();
