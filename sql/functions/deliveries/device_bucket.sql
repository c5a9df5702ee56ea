-- Device buckets: a device belongs to one of 128, which are the clusters of the design effect. The collector puts the
-- bucket, seven bits of a hash of the device's name, into the low seven bits of each delivery_id of the device, so it
-- costs neither a column nor a look-up, and survives the erasure of the device's name (DeliveryIdentity.swift).

-- delivery_id: of a delivery. Returns its device's bucket, 0 to 127.
create or replace function afterpush.device_bucket(delivery_id uuid) returns integer
language sql immutable strict parallel safe
return get_byte(uuid_send(delivery_id), 15) & 127;
comment on function afterpush.device_bucket is 'The bucket of a delivery''s device, 0 to 127.';

-- delivery_id: of a delivery, or of events about a device alone. Returns the slice to which its device belongs, 0 to 3:
-- merges of batches of different slices write different deliveries. The collector computes it, too.
create or replace function afterpush.device_slice(delivery_id uuid) returns integer
language sql immutable strict parallel safe
return get_byte(uuid_send(delivery_id), 15) & 3;
comment on function afterpush.device_slice is 'The slice to which a delivery''s device belongs, 0 to 3.';

-- The byte that stands for the bucket in rollup_device_changes; only its low seven bits count.
create or replace function afterpush.device_byte(delivery_id uuid) returns bytea
language sql immutable strict parallel safe
return substr(uuid_send(delivery_id), 16);
comment on function afterpush.device_byte is 'A byte whose low seven bits are the bucket of a delivery''s device.';

-- The id of a delivery whose device is erased: random but for the bucket, so that the sums by bucket stay true.
create or replace function afterpush.anonymous_delivery_id(delivery_id uuid) returns uuid
language sql volatile strict parallel safe
return encode(
    substr(uuid_send(gen_random_uuid()), 1, 15) || afterpush.device_byte(delivery_id), 'hex'
)::uuid;
comment on function afterpush.anonymous_delivery_id is 'A random delivery_id with the device bucket of another.';

-- The kinds that rates depend on, of a set of kinds (function kind_bit), so that few sets are left: 1 sent, 2 failed,
-- 4 delivered, 16 read, 32 opened, 128 text_input, 256 dismissed, 512 converted, 1024 replaced. Action (64) follows
-- from the set of actions. Other signs of the delivery on the device become 8 displayed, unless one of the kinds above
-- shows it as well.
create or replace function afterpush.rate_kinds(kinds integer) returns integer
language sql immutable parallel safe
return kinds & (1 | 2 | 4 | 16 | 32 | 128 | 256 | 512 | 1024) | case
    when kinds & (4 | 16 | 32 | 64 | 128 | 256) = 0 and kinds & (8 | 2048 | 4096 | 8192 | 16384) <> 0 then 8
    else 0
end;
comment on function afterpush.rate_kinds is 'The kinds of a set that rates depend on.';
