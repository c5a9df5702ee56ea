-- Frozen: generated columns of suppression_keys depend on key_block, and suppressed_devices and the suppression files
-- beside the spools hold results of device_hash. With other results, erased devices would no longer be recognised.
-- Collectors compute the same hash (DeviceKey in SuppressionList.swift).

-- HMAC-SHA-256 (RFC 2104) of a device id, from the two blocks of its key.
create or replace function afterpush.device_hash(device text, inner_block bytea, outer_block bytea) returns bytea
language sql immutable parallel safe
return sha256(outer_block || sha256(inner_block || convert_to(device, 'UTF8')));
comment on function afterpush.device_hash is
    'Returns the HMAC-SHA-256 of a device id, given the two blocks of the key.';

-- The key of 32 bytes, extended with zeros to the 64 bytes of a hash block; each byte is combined with `pad` by
-- exclusive or.
create or replace function afterpush.key_block(key bytea, pad integer) returns bytea
language sql immutable parallel safe
as $$
    select string_agg(
        set_byte('\x00', 0, (case when place < octet_length(key) then get_byte(key, place) else 0 end) # pad), ''
        order by place
    )
    from generate_series(0, 63) as place
$$;
comment on function afterpush.key_block is
    'Returns a key extended to 64 bytes and combined with a padding byte, as HMAC (RFC 2104) uses it.';
