-- Trigger on rejected_events: if the event names an erased device, replaces it by its event_id, if
-- that is a UUID, and the code device_suppressed, so that nothing from the device is stored.
--
-- Collectors search rejected events themselves, and state in checked_until which entries of the suppression list they
-- knew. The trigger covers the erasures since then, and takes between half a microsecond and 14 per byte.
--
-- Each candidate costs two hashes, so at most 48 are checked. If there are more, because the event has no device_id, only
-- its code and detail are kept.
create or replace function afterpush.redact_rejected_event() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    devices text[];
begin
    if not exists (
        select
        from afterpush.suppressed_devices as s
        where s.app_id = new.app_id
          and s.suppression_id > new.checked_until
    ) then
        return new;
    end if;
    devices := afterpush.rejected_event_devices(new.event);
    if cardinality(devices) > 48 then
        new.event := '{}';
    end if;
    if exists (
        select
        from unnest(devices[:48]) as named (device)
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = new.app_id
            and s.device_hash = afterpush.device_hash(named.device, k.inner_block, k.outer_block)
    ) then
        new.code := 'device_suppressed';
        new.detail := 'the device was erased';
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
    'Trigger: removes the content of a rejected event that names an erased device.';

create or replace trigger redact_rejected_event before insert on afterpush.rejected_events
    for each row
    execute function afterpush.redact_rejected_event();
