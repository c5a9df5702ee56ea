-- Looks up the newest mark of a replica on the primary.
-- $1: its mark_id. $2: the mark; both null if the replica has none. $3: the newest mark_id of the primary just before the
-- replica was asked, null if it had none.
-- Returns one row: whether the mark is the primary's; the seconds since the first mark up to $3 that the replica lacks,
-- null if it lacks none.
select
    $1::bigint is null or exists (select from afterpush.replica_marks where mark_id = $1 and mark = $2::uuid),
    (
        select extract(epoch from clock_timestamp() - min(made_at))
        from afterpush.replica_marks
        where mark_id > coalesce($1, 0)
          and mark_id <= $3::bigint
    )::double precision
