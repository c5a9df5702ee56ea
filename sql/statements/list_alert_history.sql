-- The latest changes of an app's alerts, the latest first, with what became of their messages.
-- $1: app_id. $2: number of changes.
-- Times are in microseconds since 1970.
select
    h.transition_id, h.alert_name, h.series, h.from_state, h.to_state,
    (extract(epoch from h.changed_at) * 1000000)::bigint, h.description, m.delivered, m.waiting, m.failed + h.refused
from (
    select *
    from afterpush.alert_history
    where app_id = $1
    order by changed_at desc, transition_id
    limit $2
) as h
cross join lateral (
    select
        count(*) filter (where outcome = 'delivered') as delivered,
        count(*) filter (where outcome is null) as waiting,
        count(*) filter (where outcome <> 'delivered') as failed
    from afterpush.alert_messages
    where message_id = h.transition_id
) as m
order by h.changed_at desc, h.transition_id
