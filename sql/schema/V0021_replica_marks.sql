-- A collector that reads reports from a replica writes a random mark every few seconds. A server whose newest mark is also
-- in this table is a replica of this database. A copy of the database that other collectors write to has other marks.
create table afterpush.replica_marks (
    mark_id bigint generated always as identity primary key,
    mark uuid not null default gen_random_uuid(),
    made_at timestamptz not null default clock_timestamp()
);
create index replica_marks_by_time on afterpush.replica_marks (made_at);
comment on table afterpush.replica_marks is
    'Random marks of the last day, which show whether a server is a replica of this database.';
comment on column afterpush.replica_marks.mark_id is 'Number of the mark, in the order of writing.';
comment on column afterpush.replica_marks.mark is 'A random number, which no other database has.';
comment on column afterpush.replica_marks.made_at is 'When it was written, by the clock of the primary.';
