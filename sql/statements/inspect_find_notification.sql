-- The deliveries of a notification, for the inspector. It reads all deliveries, for lack of an index, so it
-- has a time limit.
-- $1: app_id. $2: notification_id. $3: rows at most.
-- Runs as afterpush_report. Returns delivery_ids. A notification can go to a million devices, so they are in no order.
select d.delivery_id
from afterpush.deliveries as d
where d.app_id = $1
  and d.notification_id = $2
limit $3
