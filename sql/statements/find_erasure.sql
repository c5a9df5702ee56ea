-- The erasure job of a device.
-- $1: app_id. $2: device_id.
-- Returns one row, or none without a job: when the erasure was requested and when it was done (null until then); the
-- numbers of events and replies deleted, of deliveries made anonymous, and of rejected events deleted; the number of
-- names that contain the id, which stay; and whether there are older rejected events that were not searched for the id,
-- because a restored job had only its hash, and nothing else named the device.
select
    e.requested_at, e.finished_at, e.events, e.replies, e.deliveries, e.rejected,
    afterpush.count_names_with_id($1, $2),
    -- A job that knew the id has checked all that were there.
    e.finished_at is not null
        and e.rejected_checked = 0
        -- Not `exists`, for which the planner may read those of other apps.
        and coalesce(
            (select min(r.received_at) from afterpush.rejected_events as r where r.app_id = e.app_id) < e.requested_at,
            false
        )
from afterpush.suppression_keys as k
join afterpush.erasures as e
    on e.app_id = $1
    and e.device_hash = afterpush.device_hash($2, k.inner_block, k.outer_block)
order by k.key_id
limit 1
