-- Partitions of events are created and dropped under an exclusive lock of events. Devices choose the month of an event, so
-- anyone with an ingest key can fill a month. Rows that are too many to move under the lock are copied, or kept, without
-- it.

create table afterpush.default_copy (
    is_present boolean primary key default true check (is_present),
    next_block bigint not null,
    end_block bigint not null
);
comment on table afterpush.default_copy is
    'One row while the default partition of events is being copied into partitions that will replace it (function split_default_partition).';
comment on column afterpush.default_copy.is_present is 'Always true; there is at most one row.';
comment on column afterpush.default_copy.next_block is 'The block of events_default that is copied next.';
comment on column afterpush.default_copy.end_block is
    'Where the blocks end that have to be copied; a trigger copies what was stored in others.';
alter table afterpush.default_copy enable row level security;

create table afterpush.kept_partitions (
    partition text collate "C" primary key,
    expired_before timestamptz not null,
    next_block bigint
);
comment on table afterpush.kept_partitions is
    'Months of events that retention would have dropped, but that had too many events that are still needed. The other events are deleted in steps (function trim_kept_partition).';
comment on column afterpush.kept_partitions.partition is 'Name of the partition, which ends in _kept.';
comment on column afterpush.kept_partitions.expired_before is
    'Events that occurred before are deleted, unless their delivery or batch needs them.';
comment on column afterpush.kept_partitions.next_block is
    'The block from which on events are to be deleted; null if that is done.';
alter table afterpush.kept_partitions enable row level security;
