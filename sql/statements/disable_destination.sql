-- Disables a destination that answered 410, and ends the messages that wait for it, except those under way.
-- $1: app_id. $2: kind. $3: target.
with disabled as (
    insert into afterpush.disabled_destinations (app_id, kind, target)
    values ($1, $2, $3)
    on conflict do nothing
),
waiting as (
    select message_id, kind, target
    from afterpush.alert_messages
    where app_id = $1
      and kind = $2
      and target = $3
      and ended_at is null
      and claim is null
    order by message_id
    for update skip locked
)
update afterpush.alert_messages as m
set ended_at = now(),
    outcome = 'destination_disabled',
    problem = 'the destination answered 410'
from waiting as w
where m.message_id = w.message_id
  and m.kind = w.kind
  and m.target = w.target
