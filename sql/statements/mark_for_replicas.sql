-- Writes a mark, and removes those older than a day. Its commit shows a replica of an idle database that it misses nothing,
-- and the mark shows that the server is a replica; see the table replica_marks.
with pruned as (
    delete from afterpush.replica_marks where made_at < clock_timestamp() - interval '1 day'
)
insert into afterpush.replica_marks default values
