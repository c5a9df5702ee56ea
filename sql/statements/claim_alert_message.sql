-- Claims a message whose attempt is due, for a time. Apps take turns: the one whose turn was longest ago comes first,
-- and of its messages the one that has been due for longest. A destination of an app gets one message at a time, so that
-- one that doesn't respond doesn't hold up the others.
-- $1: claim. $2: seconds after which the claim ends by itself. $3: apps that have no turn now.
-- $4, $5: apps, and the number of their last turn; 0 for all others.
-- The last column is how long ago the message was put into the outbox, in seconds.
update afterpush.alert_messages as m
set claim = $1,
    claimed_until = now() + make_interval(secs => $2),
    attempts = attempts + 1
from afterpush.alert_settings as s
where s.app_id = m.app_id
  and (m.message_id, m.kind, m.target) = (
      select due.message_id, due.kind, due.target
      from (
          select s.app_id, coalesce(past.turn, 0) as turn
          from afterpush.alert_settings as s
          left join unnest($4::integer[], $5::bigint[]) as past (app_id, turn) on past.app_id = s.app_id
          where s.app_id <> all ($3::integer[])
          order by turn, app_id
      ) as a
      cross join lateral (
          select
              array(
                  select under_way.kind || ' ' || under_way.target
                  from afterpush.alert_messages as under_way
                  where under_way.app_id = a.app_id
                    and under_way.claim is not null
                    and under_way.claimed_until between now() and now() + interval '1 day'
              ) as destinations
      ) as busy
      cross join lateral (
          select w.message_id, w.kind, w.target
          from afterpush.alert_messages as w
          where w.app_id = a.app_id
            and w.ended_at is null
            -- A time that is further away was set while the database's clock was ahead.
            and (w.next_attempt_at <= now() or w.next_attempt_at > now() + interval '1 day')
            and (w.claimed_until is null or w.claimed_until < now() or w.claimed_until > now() + interval '1 day')
            and w.kind || ' ' || w.target <> all (busy.destinations)
          -- Nothing else, so that the index ends the search at the first one.
          order by w.next_attempt_at
          limit 1
          for update skip locked
      ) as due
      order by a.turn, a.app_id
      limit 1
  )
returning
    m.app_id, m.message_id, m.kind, m.target, m.subject, m.body, m.attempts, s.secret,
    extract(epoch from now() - m.created_at)::double precision
