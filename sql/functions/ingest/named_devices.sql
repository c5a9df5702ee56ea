-- The devices that a refused event names: in device_id, and in its receipt. Also of one that is no JSON any more.
create or replace function afterpush.named_devices(event text) returns text[]
language plpgsql immutable
as $$
declare
    parsed jsonb;
    found text[];
    claims text;
begin
    begin
        parsed := event::jsonb;
        found := array[parsed ->> 'device_id', parsed ->> 'receipt'];
    exception when others then
        found := array[
            substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"'),
            substring(event from '"receipt"\s*:\s*"([^"\\]*)"')
        ];
        begin
            found[1] := ('"' || found[1] || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
    end;
    begin
        claims := translate(split_part(found[2], '.', 2), '-_', '+/');
        found[2] := convert_from(decode(rpad(claims, (length(claims) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'sub';
    exception when others then found[2] := null;
    end;
    return array_remove(found, null);
end
$$;
comment on function afterpush.named_devices is 'The devices that a refused event names.';
