-- A page of the replies of a device, for its export, with those that no report can read yet.
-- $1: delivery_ids. $2, $3, $4: delivery_id, event_id and device_time of the last row of the previous page. $5: limit.
-- Returns these three columns and the reply as a JSON object.
select
    r.delivery_id,
    r.event_id,
    r.device_time,
    to_jsonb(r) - 'app_id'
from (
    select delivery_id, event_id, device_time, user_text, stored_at, false as waiting
    from afterpush.replies
    union all
    select delivery_id, event_id, device_time, user_text, stored_at, true
    from afterpush.waiting_replies
) as r
where r.delivery_id = any ($1)
  and (r.delivery_id, r.event_id, r.device_time) > ($2, $3, $4)
order by r.delivery_id, r.event_id, r.device_time
limit $5
