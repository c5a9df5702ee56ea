-- The devices that receipts are bound to. The receipts are not verified.
--
-- texts: texts of which some may be receipts. At most 16 that look like one are read.
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
        where candidate.text like '%.%.%'
          and candidate.text !~ '[^A-Za-z0-9_=.-]'
        limit 16
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
