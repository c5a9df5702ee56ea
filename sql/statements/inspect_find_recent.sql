-- The deliveries of recent events that state an id, for the inspector: of batches that are not counted yet, and of the
-- newest others. Most people ask for what has just happened, and events have no index by notification or event_id.
-- $1: app_id. $2: the id. $3: the id as a UUID; null if it is none. $4: number of the newest batches. $5: rows at most.
-- Runs as afterpush_report. Returns what the id is (event, notification or device) and the delivery_id.
select distinct
    case
        when e.event_id = $3 then 'event'
        when e.notification_id = $2 then 'notification'
        else 'device'
    end,
    e.delivery_id
from afterpush.events as e
where e.batch_id = any (array(
        (
            select b.batch_id
            from afterpush.batches as b
            where b.rolled_up_at is null
              and b.app_id = $1
            order by b.batch_id + 0
        )
        union
        (
            select b.batch_id
            from afterpush.batches as b
            where b.app_id = $1
              and b.events > 0
            order by b.started_at desc
            limit $4
        )
    ))
  and e.app_id = $1
  and (e.device_id = $2 or e.notification_id = $2 or e.event_id = $3)
limit $5
