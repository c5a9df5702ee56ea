-- Stored deliveries with what the rollups have counted of them, for merging: the columns that begin with old_.
--
-- stored_row  the location of the row
create or replace view afterpush.counted_deliveries with (security_invoker = true) as
select
    d.*,
    d.ctid as stored_row,
    afterpush.counted_kinds(
        d.kinds, d.converted_at, afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        (
            select afterpush.window_of_delivery(
                c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
            )
            from afterpush.campaigns as c
            where c.app_id = d.app_id
              and c.campaign_id = d.campaign_id
        )
    ) as old_kinds,
    afterpush.counted_kinds(
        d.verified_kinds, d.verified_converted_at,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        (
            select afterpush.window_of_delivery(
                c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
            )
            from afterpush.campaigns as c
            where c.app_id = d.app_id
              and c.campaign_id = d.campaign_id
              and d.campaign_source_rank <= 3
        )
    ) as old_verified_kinds,
    afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_at,
    afterpush.observed_time(d.kinds, d.confirmed_at, d.responded_at, d.failed_at, d.replaced_at) as old_confirmed_time,
    afterpush.observed_time(d.kinds, d.sent_at, d.responded_at, d.failed_at, d.replaced_at) as old_sent_time,
    afterpush.observed_time(
        d.verified_kinds, d.verified_confirmed_at, d.verified_responded_at, d.verified_failed_at,
        d.verified_replaced_at
    ) as old_verified_confirmed_time,
    afterpush.observed_time(
        d.verified_kinds, d.verified_sent_at, d.verified_responded_at, d.verified_failed_at, d.verified_replaced_at
    ) as old_verified_sent_time,
    coalesce(d.confirmed_at, d.sent_at) as old_reached_at,
    coalesce(d.verified_confirmed_at, d.verified_sent_at) as old_verified_reached_at,
    afterpush.verified_dimensions(
        d.platform_source_rank, d.app_version_source_rank, d.campaign_source_rank, d.category_source_rank
    ) as old_verified_dimensions
from afterpush.deliveries as d;
comment on view afterpush.counted_deliveries is
    'Stored deliveries with what the rollups have counted of them, for merging.';
