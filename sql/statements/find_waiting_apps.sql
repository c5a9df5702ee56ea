-- The apps with batches that the rollups don't include yet, except those that are merged apart: at most $1, those with
-- the oldest batch first. No row if there is only one app.
select b.app_id, a.name
from afterpush.batches as b
join afterpush.apps as a using (app_id)
where b.rolled_up_at is null
  and not exists (select from afterpush.apps_merged_apart as p where p.app_id = b.app_id)
  and (select count(*) from afterpush.apps) > 1
group by b.app_id, a.name
order by min(b.batch_id)
limit $1
