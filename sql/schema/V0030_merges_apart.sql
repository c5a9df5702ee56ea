-- Apps whose merges are slow or fail are merged beside those of the others, and any collector may do it.

create table afterpush.apps_merged_apart (
    app_id integer primary key references afterpush.apps
);
comment on table afterpush.apps_merged_apart is
    'Apps whose batches are merged on their own, beside those of all others, because their merges are slow or fail. Who holds the lock of a row may write the app''s deliveries and rollups.';
comment on column afterpush.apps_merged_apart.app_id is 'App that is merged apart.';
comment on table afterpush.rollup_worker is
    'One row; the transaction that holds its lock may write deliveries and rollups of apps that are not merged apart. Merges of slices share it, and hold merge_locks.';
comment on table afterpush.merge_locks is
    'Rows to lock: slice 0 to slice 3 until a merge of these slices ends; rollups while such a merge adds to the rollups; and all before waiting for all merges to end.';
insert into afterpush.merge_locks
values ('all');

drop function if exists afterpush.roll_up(integer, integer, integer[], integer[]);
drop function if exists afterpush.waiting_batches(integer, integer, integer[], integer[]);
drop function if exists afterpush.settle_device_changes(integer);
drop function if exists afterpush.decide_due_replies();
drop function if exists afterpush.decide_waiting_replies(uuid[], integer);
