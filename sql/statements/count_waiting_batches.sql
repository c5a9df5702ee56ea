-- Counts the batches that the rollups don't include yet.
select count(*)
from afterpush.batches
where rolled_up_at is null
