-- Writes a mark, by which replicas know that they miss nothing although the database is idle, and are known as such.
-- Marks of more than a day ago are removed.
with pruned as (
    delete from afterpush.replica_marks where made_at < clock_timestamp() - interval '1 day'
)
insert into afterpush.replica_marks default values
