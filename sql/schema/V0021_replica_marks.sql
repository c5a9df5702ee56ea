-- What a collector with a replica writes every few seconds. A replica whose newest mark is in this table has this database's
-- history. A copy that others write to has marks of its own, also if it was made from this database's files.
create table afterpush.replica_marks (
    mark_id bigint generated always as identity primary key,
    mark uuid not null default gen_random_uuid(),
    made_at timestamptz not null default clock_timestamp()
);
create index replica_marks_by_time on afterpush.replica_marks (made_at);
comment on table afterpush.replica_marks is
    'Marks of the last day, by which a replica is told from a copy of the database that has a history of its own.';
comment on column afterpush.replica_marks.mark_id is 'Number of the mark, in the order of writing.';
comment on column afterpush.replica_marks.mark is 'A random number, which no other database has.';
comment on column afterpush.replica_marks.made_at is 'When it was written, by the clock of the primary.';
