-- Puts a message into the outbox, unless its destination is disabled.
-- $1: app_id. $2: message_id. $3: kind. $4: target. $5: subject. $6: body.
insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body)
select $1, $2, $3, $4, $5, $6
where not exists (
    select
    from afterpush.disabled_destinations
    where app_id = $1
      and kind = $3
      and target = $4
)
on conflict do nothing
