-- The delivery_id under which the events about a device alone are stored.
--
-- app, device: the app and the device's identifier.
-- Returns the first 16 bytes of a SHA-256 over both, each after its length in bytes, as a UUID of version 8 (RFC 9562).
-- The collector derives the same id in Swift.
create or replace function afterpush.device_identity(app integer, device text) returns uuid
language sql immutable parallel safe
return (
    select encode(
        set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex'
    )::uuid
    from substr(
        sha256(
            int4send(4) || int4send(app) || int4send(octet_length(convert_to(device, 'UTF8')))
                || convert_to(device, 'UTF8')
        ),
        1, 16
    ) as digest
);
comment on function afterpush.device_identity is 'The delivery_id of the events that are about a device alone.';
