-- Deliveries with their states, in order of delivery_id, for the export.
-- Variables: from, to (of the anchor hour); delivery_id (resume after this one); limit (rows at most).
-- Runs as afterpush_report, which sees the rows of one app. Columns: ExportKind.swift.
select
    d.delivery_id,
    d.notification_id,
    d.device_id,
    afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
    d.campaign_id,
    d.variant,
    d.category_id,
    d.category_version,
    d.platform,
    d.app_version,
    afterpush.is_sent(d.kinds) as sent,
    afterpush.has_failed(d.kinds) as failed,
    afterpush.is_confirmed(d.kinds) as confirmed,
    afterpush.is_delivered(d.kinds) as delivered,
    afterpush.is_displayed(d.kinds) as displayed,
    afterpush.is_opened(d.kinds) as opened,
    afterpush.has_acted(d.kinds) as acted,
    afterpush.has_replied(d.kinds) as replied,
    afterpush.is_dismissed(d.kinds) as dismissed,
    afterpush.is_read(d.kinds) as read,
    afterpush.has_responded(d.kinds) as responded,
    afterpush.is_replaced(d.kinds) as replaced,
    afterpush.has_converted_event(d.kinds) as converted_event,
    d.verified_kinds <> 0 as verified,
    d.sent_at,
    d.confirmed_at,
    d.responded_at,
    d.receipt_issued_at,
    d.first_event_at,
    case
        when d.actions is not null
        then (
            select json_agg(json_build_object(
                'action_id', a.action_id,
                'first_at', least(a.unverified_first_at, a.verified_first_at),
                'events', a.unverified_events + a.verified_events
            ))
            from unnest(d.actions) as a
        )
    end as actions,
    afterpush.is_held_out(d.kinds) as held_out
from afterpush.deliveries as d
where d.delivery_id > :'delivery_id'::uuid
  and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= :'from'::timestamptz
  and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < :'to'::timestamptz
order by d.delivery_id
limit :'limit'::bigint
