-- The erasure of device $2 of app $1: one row, or none.
-- Returns when it was asked for and done, and how much was erased: events, replies, deliveries made anonymous, refusals.
select e.requested_at, e.finished_at, e.events, e.replies, e.deliveries, e.rejected
from afterpush.suppression_keys as k
join afterpush.erasures as e
    on e.app_id = $1
    and e.device_hash = afterpush.device_hash($2, k.inner_block, k.outer_block)
order by k.key_id
limit 1
