-- For the number of devices of everything: the deliveries of a part of the devices, by a hash of their names, each of a
-- quarter of the one before. A report reads the one that has about as many as it has time for. They are indexes of their
-- own, and not one by the hash, because row-level security keeps a condition with a function of the row out of an index,
-- but not the condition of a partial one: with one index, the report overview took half a second at ten million events.
drop index afterpush.deliveries_hashed_devices;
create index deliveries_devices_one_in_8 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 131072;
comment on index afterpush.deliveries_devices_one_in_8 is
    'Deliveries of one in 8 devices by a hash, from which the report overview estimates how many devices there are.';
create index deliveries_devices_one_in_32 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 32768;
comment on index afterpush.deliveries_devices_one_in_32 is
    'Deliveries of one in 32 devices by a hash, from which the report overview estimates how many devices there are.';
create index deliveries_devices_one_in_128 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 8192;
comment on index afterpush.deliveries_devices_one_in_128 is
    'Deliveries of one in 128 devices by a hash, from which the report overview estimates how many devices there are.';
create index deliveries_devices_one_in_512 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 2048;
comment on index afterpush.deliveries_devices_one_in_512 is
    'Deliveries of one in 512 devices by a hash, from which the report overview estimates how many devices there are.';
create index deliveries_devices_one_in_2048 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 512;
comment on index afterpush.deliveries_devices_one_in_2048 is
    'Deliveries of one in 2048 devices by a hash, from which the report overview estimates how many devices there are.';
create index deliveries_devices_one_in_8192 on afterpush.deliveries (app_id)
    where (hashtextextended(device_id, 0) & 1048575) < 128;
comment on index afterpush.deliveries_devices_one_in_8192 is
    'Deliveries of one in 8192 devices by a hash, from which the report overview estimates how many devices there are.';
