-- The apps with batches that the rollups don't include yet, except those that are merged apart: at most $1, those with
-- the oldest batch first. No row if there is only one app.
select a.app_id, n.name
from afterpush.apps_to_merge(null) as a (app_id)
join afterpush.apps as n using (app_id)
cross join lateral afterpush.oldest_waiting_batch(a.app_id) as oldest
where (select count(*) from afterpush.apps) > 1
order by oldest.batch_id
limit $1
