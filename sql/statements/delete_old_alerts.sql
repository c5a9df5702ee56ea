-- Deletes changes of alerts after 400 days, and messages 30 days after their end.
-- $1: the collector's clock. If the database's is ahead of it, it decides.
with messages as (
    delete from afterpush.alert_messages
    where ended_at < least(now(), $1) - interval '30 days'
)
delete from afterpush.alert_history
where changed_at < least(now(), $1) - interval '400 days'
