-- A device's deliveries, and those of a part of the devices, are found by the number of the device. Its index takes
-- the place of the index of device names and of six partial indexes, each of which had to look at every row: row-level
-- security lets a report search an index by a column, but not by a function of it.
--
-- As a generated column it is computed while the table is written once; `drop expression` makes it a plain one, which
-- rows of the table's type can be inserted into.
alter table afterpush.deliveries
    add column device_number integer
    generated always as ((hashtextextended(device_id, 0) & 1048575)::integer) stored;
alter table afterpush.deliveries
    alter column device_number drop expression,
    add constraint device_has_number check ((device_number is null) = (device_id is null));
comment on column afterpush.deliveries.device_number is
    'Number of the device, 20 bits of a hash of its id (function device_number); null once it was erased.';

-- The view has the table's columns before its own.
drop view if exists afterpush.counted_deliveries;
drop index
    afterpush.deliveries_device,
    afterpush.deliveries_devices_one_in_8,
    afterpush.deliveries_devices_one_in_32,
    afterpush.deliveries_devices_one_in_128,
    afterpush.deliveries_devices_one_in_512,
    afterpush.deliveries_devices_one_in_2048,
    afterpush.deliveries_devices_one_in_8192;
create index deliveries_device_number on afterpush.deliveries (app_id, device_number);
comment on index afterpush.deliveries_device_number is 'The deliveries of a device, or of a part of the devices.';
