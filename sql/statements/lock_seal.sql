-- Locks all merges, and so the end of the sealed hours, until the transaction ends.
-- $1: where the sealed hours are expected to end, as text. Returns whether they do.
select afterpush.lock_all_merges() = $1::timestamptz
