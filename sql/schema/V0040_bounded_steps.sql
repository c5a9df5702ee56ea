-- Lets each step of recounting conversions read about as many deliveries as it may, however many a device has.

-- With the ids in the index, a step begins right after the last delivery of the step before. Only an erasure changes these
-- columns, so other updates of a delivery still need no new index entry (HOT).
drop index afterpush.deliveries_device_number;
create index deliveries_device_number on afterpush.deliveries (app_id, device_number, delivery_id);
comment on index afterpush.deliveries_device_number is
    'The deliveries of a device, or of a part of the devices, in the order of their ids.';

drop function if exists afterpush.recount_conversions(integer, timestamptz);
drop function if exists afterpush.recount_step(integer);
