-- Counts the batches that the rollups don't include yet: those of app $1, or of all apps if it is null.
select count(*)
from afterpush.batches
where rolled_up_at is null
  and ($1::integer is null or app_id = $1)
