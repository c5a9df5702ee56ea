-- Several merges side by side. Devices are divided into four slices, by two bits of their bucket, and a delivery is of one
-- device. So merges of batches of different slices write different deliveries.

alter table afterpush.batches
    add column device_slice smallint,
    add constraint batches_device_slice check (device_slice between 0 and 3);
comment on column afterpush.batches.device_slice is
    'The slice to which the devices of all its events belong, 0 to 3 (function device_slice); null if they are of several.';

create table afterpush.merge_locks (
    name text collate "C" primary key
);
comment on table afterpush.merge_locks is
    'Rows that merges of some slices lock: one for each slice, slice 0 to slice 3, until the merge ends; and rollups, while it adds to the rollups.';
comment on column afterpush.merge_locks.name is 'What may be written under the lock.';
comment on table afterpush.rollup_worker is
    'One row; the transaction that holds its lock may write deliveries and rollups. Merges of slices share it, and hold merge_locks.';
insert into afterpush.merge_locks
values ('rollups'), ('slice 0'), ('slice 1'), ('slice 2'), ('slice 3');

drop function if exists afterpush.roll_up(integer, integer, integer[]);
drop function if exists afterpush.waiting_batches(integer, integer, integer[]);
