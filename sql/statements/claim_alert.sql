-- Claims an alert rule that is due, for a time, so that no other collector evaluates it. The app whose evaluations took
-- the least time lately comes first, and of its rules the one that has been due for longest.
-- $1: claim. $2: seconds after which the claim ends by itself. $3: apps that have no turn now.
-- $4, $5: apps, and the milliseconds that their evaluations took lately; 0 for all others.
-- Times are in microseconds since 1970. The last column is how long the rule has been due, in seconds.
update afterpush.alert_rules as r
set claim = $1,
    claimed_at = now(),
    claimed_until = now() + make_interval(secs => $2)
from afterpush.apps as a
where a.app_id = r.app_id
  and (r.app_id, r.alert_name) = (
      select due.app_id, due.alert_name
      from afterpush.alert_rules as due
      left join unnest($4::integer[], $5::bigint[]) as past (app_id, milliseconds) on past.app_id = due.app_id
      where due.enabled
        -- A time that is further away was set while the database's clock was ahead.
        and (due.next_evaluation_at <= now() or due.next_evaluation_at > now() + interval '8 days')
        and (
            due.claimed_until is null or due.claimed_until < now() or due.claimed_until > now() + interval '1 day'
        )
        and due.app_id <> all ($3::integer[])
      order by coalesce(past.milliseconds, 0), due.next_evaluation_at, due.app_id, due.alert_name
      limit 1
      for update of due skip locked
  )
returning
    r.app_id, a.name, r.alert_name, r.definition::text, r.destinations::text,
    (extract(epoch from now()) * 1000000)::bigint, greatest(0, extract(epoch from now() - r.next_evaluation_at))::double precision
