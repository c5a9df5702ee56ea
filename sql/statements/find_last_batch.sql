-- The highest batch number; 0 if there is no batch.
select coalesce(max(batch_id), 0)
from afterpush.batches
