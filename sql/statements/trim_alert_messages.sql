-- Deletes messages of an app that have ended and are older than its latest ones. It waits for no other transaction, such
-- as an erasure: what is locked is deleted the next time.
-- $1: app_id. $2: how many are kept. $3: how many are deleted at most.
delete from afterpush.alert_messages
where (message_id, kind, target) in (
    select message_id, kind, target
    from afterpush.alert_messages
    where (message_id, kind, target) in (
        select message_id, kind, target
        from afterpush.alert_messages
        where app_id = $1
          and ended_at is not null
        order by created_at desc
        offset $2
        limit $3
    )
    for update skip locked
)
