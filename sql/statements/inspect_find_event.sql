-- The deliveries of the events with an event_id, for the inspector. It reads all events, for lack of an index, so it has
-- a time limit.
-- $1: app_id. $2: event_id. $3: rows at most.
-- Runs as afterpush_report. Returns delivery_ids; senders choose the event_id, so several can have it.
select e.delivery_id
from afterpush.events as e
where e.app_id = $1
  and e.event_id = $2
limit $3
