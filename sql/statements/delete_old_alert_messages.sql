-- Deletes messages 30 days after their end, the oldest first, up to a number.
-- $1: the collector's clock. If the database's is ahead of it, it decides. $2: the number.
delete from afterpush.alert_messages
where (message_id, kind, target) in (
    select message_id, kind, target
    from afterpush.alert_messages
    where ended_at < least(now(), $1) - interval '30 days'
    order by ended_at
    limit $2
    for update skip locked
)
