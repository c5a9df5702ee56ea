-- Among the $4 refused events after number $3, those of app $1 that name device $2.
-- Returns their numbers, of each as JSON if it is one; no row behind the last.
select
    r.rejection_id,
    case
        when r.app_id = $1 and $2 = any (afterpush.rejected_event_devices(r.event))
        then to_jsonb(r) - array['app_id', 'fingerprint']
    end
from afterpush.rejected_events as r
where r.rejection_id > $3
order by r.rejection_id
limit $4
