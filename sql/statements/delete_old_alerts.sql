-- Deletes changes of alerts after 400 days, and messages 30 days after their end.
with messages as (
    delete from afterpush.alert_messages
    where ended_at < now() - interval '30 days'
)
delete from afterpush.alert_history
where changed_at < now() - interval '400 days'
