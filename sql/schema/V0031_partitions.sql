-- Partitions of events are created and dropped under an exclusive lock of events. Devices choose the month of an event, so
-- anyone with an ingest key can fill a month. Rows that are too many to move under the lock are copied without it.

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
