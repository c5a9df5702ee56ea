-- The texts of a rejected event that can be the device's id, for the search by hash.
--
-- event: the text of the event. It need not be valid JSON.
-- These are all values of device_id, at any depth and of every occurrence, and the devices that receipts in it are bound
-- to. If there is neither, they are all texts of the event, because the id may have another name. A text with white
-- space around it is returned without it, too.
-- Receipts are read without verifying them, because erasure has to find every mention of a device.
create or replace function afterpush.rejected_event_devices(event text) returns text[]
language plpgsql immutable
as $$
declare
    devices text[] := afterpush.encoded_subjects(afterpush.rejected_event_readings(event));
    device text;
begin
    begin
        -- jsonb would keep only the last of the fields that are stated twice.
        devices := devices || array(
            select stated.scalar #>> '{}'
            from json_each(event::json) as field
            cross join jsonb_path_query(field.value::jsonb, 'strict $.**') as stated (scalar)
            where field.key = 'device_id'
              and jsonb_typeof(stated.scalar) in ('string', 'number')
        );
    exception when others then
        device := substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"');
        begin
            -- Resolves escapes.
            device := ('"' || device || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
        devices := array_append(devices, device);
    end;
    devices := array_remove(devices, null);
    if devices = '{}' then
        devices := afterpush.rejected_event_texts(event);
    end if;
    return devices || array(
        select btrim(named.device, E' \t\r\n')
        from unnest(devices) as named (device)
        where named.device ~ '^\s|\s$'
    );
end
$$;
comment on function afterpush.rejected_event_devices is
    'Returns the texts of a rejected event that can be the id of its device.';
