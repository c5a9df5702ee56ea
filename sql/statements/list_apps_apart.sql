-- The apps that are merged apart from the others.
-- Returns their ids and names.
select p.app_id, a.name
from afterpush.apps_merged_apart as p
join afterpush.apps as a using (app_id)
