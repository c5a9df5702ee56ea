-- The claims of receipts, as JSON. The receipts are not verified.
--
-- texts: texts of which some may be receipts.
create or replace function afterpush.receipt_claims(texts text[]) returns text[]
language plpgsql immutable
as $$
declare
    receipt text;
    encoded text;
    claims text[] := '{}';
begin
    for receipt in
        select candidate.text
        from unnest(texts) as candidate (text)
        -- Three parts in base64url. The middle one is a JSON object, so it begins with e; {"sub":"a"} has 15 characters.
        where candidate.text ~ '^[A-Za-z0-9_=-]*\.e[A-Za-z0-9_=-]{13,}\.[A-Za-z0-9_=-]*$'
    loop
        begin
            -- The claims are the middle part of the token, base64url without padding.
            encoded := rtrim(translate(split_part(receipt, '.', 2), '-_', '+/'), '=');
            encoded := rpad(encoded, (length(encoded) + 3) / 4 * 4, '=');
            claims := array_append(claims, convert_from(decode(encoded, 'base64'), 'UTF8'));
        exception when others then null;
        end;
    end loop;
    return claims;
end
$$;
comment on function afterpush.receipt_claims is 'Returns the claims of receipts, without verifying them.';

-- The devices that receipts are bound to, and whatever else is called `sub` in them, at any depth.
--
-- texts: texts of which some may be receipts.
create or replace function afterpush.receipt_devices(texts text[]) returns text[]
language plpgsql immutable
as $$
declare
    claims text;
    devices text[] := '{}';
begin
    foreach claims in array afterpush.receipt_claims(texts)
    loop
        begin
            devices := devices || array(
                select distinct subject.scalar #>> '{}'
                from jsonb_path_query(claims::jsonb, '$.**.sub') as subject (scalar)
            );
        exception when others then null;
        end;
    end loop;
    return array_remove(devices, null);
end
$$;
comment on function afterpush.receipt_devices is 'Returns the devices that receipts are bound to, without verifying them.';
