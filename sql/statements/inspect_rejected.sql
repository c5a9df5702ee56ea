-- The newest rejected events that say an id, for the inspector.
-- $1: app_id. $2: the id. $3: how many of the newest rejected events are searched. $4: rows at most.
-- Runs as afterpush_report. Returns a JSON object for each, the newest first.
select json_build_object(
    'received_at', r.received_at,
    'code', r.code,
    'detail', r.detail,
    'event_id', r.event_id,
    'event', left(r.event, 4096)
)::text
from (
    select *
    from afterpush.rejected_events
    where app_id = $1
    order by received_at desc, rejection_id desc
    limit $3
) as r
where r.event_id = $2
   or afterpush.says_id(afterpush.rejected_event_content(r.event), $2)
order by r.received_at desc, r.rejection_id desc
limit $4
