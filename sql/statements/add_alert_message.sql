-- Puts a message into the outbox, unless its destination is disabled. A message for which there is no room is kept
-- without its text, as one that will not be delivered.
-- $1: app_id. $2: message_id. $3: kind. $4: target. $5: subject. $6: body. $7: whether there is room.
insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body, ended_at, outcome, problem)
select
    $1, $2, $3, $4, $5,
    case when $7 then $6 else '' end,
    case when not $7 then now() end,
    case when not $7 then 'no_room' end,
    case when not $7 then 'too many messages of the app waited to be delivered' end
where not exists (
    select
    from afterpush.disabled_destinations
    where app_id = $1
      and kind = $3
      and target = $4
)
on conflict do nothing
