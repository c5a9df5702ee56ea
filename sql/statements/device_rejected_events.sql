-- A page of rejected events, for the export of a device.
-- $1: app_id. $2: device_id. $3: last rejection_id of the previous page. $4: limit.
-- Returns a row per rejected event: its rejection_id, and the event as a JSON object, or null if it belongs to
-- another app or does not contain the id. No row means that the previous page was the last.
select
    r.rejection_id,
    case
        when r.app_id = $1 and afterpush.says_id(afterpush.rejected_event_content(r.event), $2)
        then to_jsonb(r) - array['app_id', 'fingerprint']
    end
from afterpush.rejected_events as r
where r.rejection_id > $3
order by r.rejection_id
limit $4
