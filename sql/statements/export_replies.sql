-- Stored reply texts with the events that carried them, in order of their keys, for the export.
-- Variables: from, to (of corrected_at); delivery_id, event_id, occurred_at (resume after this row); limit (rows at
-- most).
-- Runs as afterpush_report, which sees the rows of one app. Columns: ExportKind.swift.
select
    r.delivery_id,
    r.event_id,
    r.device_time as occurred_at,
    e.notification_id,
    e.device_id,
    e.campaign_id,
    e.variant,
    e.category_id,
    e.category_version,
    e.action_identifier,
    e.platform,
    e.locale,
    e.occurred_at as corrected_at,
    e.verified,
    octet_length(r.user_text) as text_length,
    r.stored_at,
    r.user_text
from afterpush.replies as r
-- A text may be kept longer than its event.
left join afterpush.events as e using (delivery_id, event_id, device_time)
where (r.delivery_id, r.event_id, r.device_time)
      > (:'delivery_id'::uuid, :'event_id'::uuid, :'occurred_at'::timestamptz)
  and coalesce(e.occurred_at, r.device_time) >= :'from'::timestamptz
  and coalesce(e.occurred_at, r.device_time) < :'to'::timestamptz
order by r.delivery_id, r.event_id, r.device_time
limit :'limit'::bigint
