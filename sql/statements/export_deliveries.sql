-- Deliveries with their states by the definitions of the metrics, in the order of their ids.
-- Variables: from, to (of the anchor's hour); delivery_id: the row after which it goes on; limit: rows at most.
-- Run as afterpush_report, which sees the rows of one app.
-- Columns: those of ExportKind+Columns.swift.
select
    d.delivery_id,
    d.notification_id,
    d.device_id,
    afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
    d.campaign_id,
    d.variant,
    d.category_id,
    d.category_version,
    d.platform,
    d.app_version,
    d.kinds & 1 <> 0 as sent,
    d.kinds & 2 <> 0 and d.kinds & 31228 = 0 as failed,
    d.kinds & 4 <> 0 as confirmed,
    d.kinds & 31228 <> 0 as delivered,
    d.kinds & 8 <> 0 as displayed,
    d.kinds & 32 <> 0 as opened,
    d.kinds & 192 <> 0 as acted,
    d.kinds & 128 <> 0 as replied,
    d.kinds & 256 <> 0 as dismissed,
    d.kinds & 16 <> 0 as read,
    d.kinds & 480 <> 0 as responded,
    d.kinds & 1024 <> 0 and d.kinds & 480 = 0 as replaced,
    d.kinds & 512 <> 0 as converted_event,
    d.verified_kinds <> 0 as verified,
    d.sent_at,
    d.confirmed_at,
    d.responded_at,
    d.receipt_issued_at,
    d.first_event_at,
    case
        when d.actions is not null
        then (
            select json_agg(json_build_object('action_id', a.action_id, 'first_at', a.first_at, 'events', a.events))
            from unnest(d.actions) as a
        )
    end as actions
from afterpush.deliveries as d
where d.delivery_id > :'delivery_id'::uuid
  and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= :'from'::timestamptz
  and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < :'to'::timestamptz
order by d.delivery_id
limit :'limit'::bigint
