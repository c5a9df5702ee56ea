-- The app, of those whose conversions are to be recounted, that comes after app $1, or else the first; no row if there is
-- none. $2: apps to leave out.
-- Returns its id and name.
select c.app_id, a.name
from (
    select distinct app_id
    from afterpush.campaigns
    where (next_window is not null or counted_window <> coalesce(conversion_window, response_window))
      and (next_window is not null or afterpush.may_begin_recounts())
      and app_id <> all ($2::integer[])
) as c
join afterpush.apps as a using (app_id)
order by c.app_id <= $1, c.app_id
limit 1
