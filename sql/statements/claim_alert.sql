-- Claims the alert rule whose evaluation has been due for longest, for a time, so that no other collector evaluates it.
-- $1: claim. $2: seconds after which the claim ends by itself.
-- Times are in microseconds since 1970.
update afterpush.alert_rules as r
set claim = $1,
    claimed_until = now() + make_interval(secs => $2)
from afterpush.apps as a
where a.app_id = r.app_id
  and (r.app_id, r.alert_name) = (
      select app_id, alert_name
      from afterpush.alert_rules
      where enabled
        and next_evaluation_at <= now()
        and (claimed_until is null or claimed_until < now())
      order by next_evaluation_at, app_id, alert_name
      limit 1
      for update skip locked
  )
returning
    r.app_id, a.name, r.alert_name, r.definition::text, r.destinations::text,
    (extract(epoch from now()) * 1000000)::bigint
