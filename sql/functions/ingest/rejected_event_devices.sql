-- The devices that a rejected event names: its device_id, and the device that its receipt is bound to.
--
-- event: the text of the event. It need not be valid JSON; then the two fields are found by pattern.
-- The receipt is read without verifying it, because erasure has to find every mention of a device.
create or replace function afterpush.rejected_event_devices(event text) returns text[]
language plpgsql immutable
as $$
declare
    parsed jsonb;
    device text;
    receipt text;
    receipt_claims text;
    receipt_device text;
begin
    begin
        parsed := event::jsonb;
        device := parsed ->> 'device_id';
        receipt := parsed ->> 'receipt';
    exception when others then
        device := substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"');
        receipt := substring(event from '"receipt"\s*:\s*"([^"\\]*)"');
        begin
            -- Resolves escapes.
            device := ('"' || device || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
    end;
    begin
        -- The claims are the middle part of the token, base64url without padding.
        receipt_claims := translate(split_part(receipt, '.', 2), '-_', '+/');
        receipt_claims := rpad(receipt_claims, (length(receipt_claims) + 3) / 4 * 4, '=');
        receipt_device := convert_from(decode(receipt_claims, 'base64'), 'UTF8')::jsonb ->> 'sub';
    exception when others then null;
    end;
    return array_remove(array[device, receipt_device], null);
end
$$;
comment on function afterpush.rejected_event_devices is
    'Returns the devices that a rejected event names, in device_id and in its receipt.';
