-- Deletes changes of alerts after 400 days, the oldest first, up to a number.
-- $1: the collector's clock. If the database's is ahead of it, it decides. $2: the number.
delete from afterpush.alert_history
where transition_id in (
    select transition_id
    from afterpush.alert_history
    where changed_at < least(now(), $1) - interval '400 days'
    order by changed_at
    limit $2
    for update skip locked
)
