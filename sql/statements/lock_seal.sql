-- Locks the end of the sealed hours until the transaction ends.
-- $1: where the sealed hours are expected to end, as text. Returns whether they do.
select sealed_before = $1::timestamptz
from afterpush.rollup_worker
for update
