-- Claims the message whose next attempt has been due for longest, for a time. A destination gets one message at a time,
-- so that one that doesn't respond doesn't hold up the others.
-- $1: claim. $2: seconds after which the claim ends by itself.
-- The last column is how long ago the message was put into the outbox, in seconds.
update afterpush.alert_messages as m
set claim = $1,
    claimed_until = now() + make_interval(secs => $2),
    attempts = attempts + 1
from afterpush.alert_settings as s
where s.app_id = m.app_id
  and (m.message_id, m.kind, m.target) = (
      select due.message_id, due.kind, due.target
      from afterpush.alert_messages as due
      where due.ended_at is null
        and due.next_attempt_at <= now()
        and (due.claimed_until is null or due.claimed_until < now())
        and not exists (
            select
            from afterpush.alert_messages as other
            where other.ended_at is null
              and other.kind = due.kind
              and other.target = due.target
              and other.claimed_until >= now()
        )
      order by due.next_attempt_at, due.message_id, due.kind, due.target
      limit 1
      for update of due skip locked
  )
returning
    m.app_id, m.message_id, m.kind, m.target, m.subject, m.body, m.attempts, s.secret,
    extract(epoch from now() - m.created_at)::double precision
