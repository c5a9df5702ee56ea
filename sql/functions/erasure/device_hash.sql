create or replace function afterpush.device_hash(device text, inner_block bytea, outer_block bytea) returns bytea
language sql immutable parallel safe
return sha256(outer_block || sha256(inner_block || convert_to(device, 'UTF8')));
comment on function afterpush.device_hash is 'HMAC-SHA-256 of a device''s id.';

-- Each byte of a key of 32, or of what fills it up to 64, in exclusive or with one byte.
create or replace function afterpush.key_block(key bytea, pad integer) returns bytea
language sql immutable parallel safe
as $$
    select string_agg(
        set_byte('\x00', 0, (case when place < octet_length(key) then get_byte(key, place) else 0 end) # pad), ''
        order by place
    )
    from generate_series(0, 63) as place
$$;
comment on function afterpush.key_block is 'A key padded and masked to a block, as HMAC (RFC 2104) takes it.';
