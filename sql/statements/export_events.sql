-- Stored events in the order in which they were stored: first the columns as sent, then what Afterpush added. Those of
-- devices that are being erased are left out.
-- Variables: from, to (of corrected_at); device_from, device_to (of device_time, by whose months events are stored);
-- batch_id, delivery_id, event_id, occurred_at (resume after this row); limit (rows at most).
-- Runs as afterpush_report, which sees the rows of one app. Columns: ExportKind.swift.
select
    e.batch_id,
    e.delivery_id,
    e.event_id,
    e.device_time as occurred_at,
    e.kind,
    e.action_identifier,
    r.user_text,
    e.notification_id,
    e.device_id,
    e.campaign_id,
    e.variant,
    e.category_id,
    e.category_version,
    e.platform,
    e.surface,
    e.trigger,
    e.app_state,
    e.app_version,
    e.os_version,
    e.locale,
    e.utc_offset_minutes,
    e.dismiss_cause,
    e.handling,
    e.reason,
    e.name,
    e.value,
    e.currency,
    e.properties,
    e.occurred_at as corrected_at,
    e.skew_milliseconds,
    e.verified,
    e.receipt_issued_at,
    e.text_length,
    array_to_string(e.names_past_limit, ' ') as names_past_limit
from afterpush.events as e
-- The planner drops this join if user_text is not selected.
left join afterpush.replies as r using (delivery_id, event_id, device_time)
where e.batch_id >= :'batch_id'::bigint
  and (e.batch_id, e.delivery_id, e.event_id, e.device_time)
      > (:'batch_id'::bigint, :'delivery_id'::uuid, :'event_id'::uuid, :'occurred_at'::timestamptz)
  and e.occurred_at >= :'from'::timestamptz
  and e.occurred_at < :'to'::timestamptz
  and e.device_time >= :'device_from'::timestamptz
  and e.device_time < :'device_to'::timestamptz
  -- The list is read once. `not exists` could change the plan, which follows an index.
  and e.device_id not in (
      select x.device_id
      from afterpush.erasures as x
      where x.finished_at is null
        and x.device_id is not null
  )
order by e.batch_id, e.delivery_id, e.event_id, e.device_time
limit :'limit'::bigint
