-- Frozen: deliveries.device_number holds its results, by which a device's deliveries are found.

-- The number of a device, 0 to 1048575: 20 bits of PostgreSQL's hash of its id. The hash stays the same between
-- versions, because tables that are partitioned by it depend on it. Several devices may have the same number, so a
-- search for one compares the id, too. One in n devices has a number below 2^20 / n.
create or replace function afterpush.device_number(device_id text) returns integer
language sql immutable strict parallel safe
return (hashtextextended(device_id, 0) & 1048575)::integer;
comment on function afterpush.device_number is 'Returns the number of a device: 20 bits of a hash of its id.';
