-- Collectors know what was announced within a second; this is for those that don't yet. It runs for each batch, and as
-- the one who stores: a setting of its own would cost more than all the rest.
create or replace function afterpush.enforce_suppression() returns trigger
language plpgsql
as $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    if (select announced_at from afterpush.sealing) > clock_timestamp() - interval '10 minutes'
        and afterpush.has_suppressed_events(new.batch_id)
    then
        raise exception 'events are excluded' using errcode = 'AP001';
    end if;
    return null;
end
$$;
comment on function afterpush.enforce_suppression is 'Refuses a batch with events that were announced not to be stored.';

create or replace trigger enforce_suppression after insert on afterpush.batches
    for each row when (new.events > 0)
    execute function afterpush.enforce_suppression();
