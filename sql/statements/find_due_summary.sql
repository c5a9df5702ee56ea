-- The app whose summary has been due for longest.
-- $1: apps that have no turn now.
-- Times are in microseconds since 1970.
select
    s.app_id, a.name, s.summary, (extract(epoch from s.next_summary_at) * 1000000)::bigint
from afterpush.alert_settings as s
join afterpush.apps as a using (app_id)
where s.next_summary_at <= now()
  and s.app_id <> all ($1::integer[])
order by s.next_summary_at, s.app_id
limit 1
