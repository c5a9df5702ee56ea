-- Deletes changes of an app's alerts that are older than its latest ones. It waits for no other transaction, such as an
-- erasure: what is locked is deleted the next time.
-- $1: app_id. $2: how many are kept. $3: how many are deleted at most.
delete from afterpush.alert_history
where transition_id in (
    select transition_id
    from afterpush.alert_history
    where transition_id in (
        select transition_id
        from afterpush.alert_history
        where app_id = $1
        order by changed_at desc, transition_id
        offset $2
        limit $3
    )
    for update skip locked
)
