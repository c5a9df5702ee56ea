-- Steps of the rollup worker, and reports, read what is theirs, however much other apps have stored.

-- With the ids in the index, a step of recounting conversions begins right after the last delivery of the step before.
-- Only an erasure changes these columns, so other updates of a delivery still need no new index entry (HOT).
drop index afterpush.deliveries_device_number;
create index deliveries_device_number on afterpush.deliveries (app_id, device_number, delivery_id);
comment on index afterpush.deliveries_device_number is
    'The deliveries of a device, or of a part of the devices, in the order of their ids.';

drop function if exists afterpush.recount_conversions(integer, timestamptz);
drop function if exists afterpush.recount_step(integer);
drop function if exists afterpush.apply_upgrades(bigint[], timestamptz);

-- An app reads and settles its own changes, however many those of another app are. While changes of one app are nearly
-- all of the table, statistics would say that the index is of no use to any.
create index rollup_device_changes_app on afterpush.rollup_device_changes (app_id);
comment on index afterpush.rollup_device_changes_app is 'The changes of an app that its rollups do not contain yet.';
alter table afterpush.rollup_device_changes alter column app_id set (n_distinct = 1000);
