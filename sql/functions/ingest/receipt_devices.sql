-- The devices that receipts are bound to. The receipts are not verified.
--
-- texts: texts of which some may be receipts.
create or replace function afterpush.receipt_devices(texts text[]) returns text[]
language plpgsql immutable
as $$
declare
    receipt text;
    claims text;
    devices text[] := '{}';
begin
    for receipt in
        select candidate.text
        from unnest(texts) as candidate (text)
        -- Three parts in base64url. The middle one is a JSON object, so it begins with e; {"sub":"a"} has 15 characters.
        where candidate.text ~ '^[A-Za-z0-9_=-]*\.e[A-Za-z0-9_=-]{13,}\.[A-Za-z0-9_=-]*$'
    loop
        begin
            -- The claims are the middle part of the token, base64url without padding.
            claims := rtrim(translate(split_part(receipt, '.', 2), '-_', '+/'), '=');
            claims := rpad(claims, (length(claims) + 3) / 4 * 4, '=');
            devices := array_append(devices, convert_from(decode(claims, 'base64'), 'UTF8')::jsonb ->> 'sub');
        exception when others then null;
        end;
    end loop;
    return array_remove(devices, null);
end
$$;
comment on function afterpush.receipt_devices is 'Returns the devices that receipts are bound to, without verifying them.';
