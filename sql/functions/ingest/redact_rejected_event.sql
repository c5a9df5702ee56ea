-- Trigger on rejected_events: keeps nothing but the code and the detail of an event that was not compared with the
-- whole suppression list of its app, and the event_id if that is a UUID.
--
-- Collectors search rejected events for erased devices, and state in checked_until which entries of the list they knew.
-- So this is for events that were rejected in the moment before a collector knew of an erasure. To search them here would
-- hold up the transaction, which has events of other apps.
create or replace function afterpush.redact_rejected_event() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    -- In order, so that it reads only what came after the position, whatever the planner expects there.
    if exists (
        select
        from (
            select s.app_id
            from afterpush.suppressed_devices as s
            where s.suppression_id > new.checked_until
            order by s.suppression_id
            offset 0
        ) as later
        where later.app_id = new.app_id
    ) then
        -- A client could send the device's id as the event's.
        if new.event_id !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
            new.event_id := null;
        end if;
        new.event := coalesce('{"event_id":"' || new.event_id || '"}', '{}');
    end if;
    return new;
end
$$;
comment on function afterpush.redact_rejected_event is
    'Trigger: removes the content of a rejected event that was not searched for every erased device.';

create or replace trigger redact_rejected_event before insert on afterpush.rejected_events
    for each row
    execute function afterpush.redact_rejected_event();
