-- Deliveries with the keys under which rollups count them: unknown dimensions are empty, an unstated category version
-- is 0. kinds and verified_kinds are without `converted` if no such event lies within the conversion window (function
-- counted_kinds). Deliveries that were held out are in no rollup.
--
-- reached_at       the confirmation, else the send: where the time to an action begins; null if there is neither
-- confirmed_time,
-- sent_time        how long it was observed without a response, on either clock (function observed_time)
create or replace view afterpush.keyed_deliveries as
select
    d.app_id,
    afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
    coalesce(d.app_version, '') as app_version,
    coalesce(d.campaign_id, '') as campaign_id,
    coalesce(d.variant, '') as variant,
    coalesce(d.category_id, '') as category_id,
    coalesce(d.category_version, 0) as category_version,
    coalesce(d.platform, '') as platform,
    afterpush.verified_dimensions(
        d.platform_source_rank, d.app_version_source_rank, d.campaign_source_rank, d.category_source_rank
    ) as verified_dimensions,
    afterpush.counted_kinds(
        d.kinds, d.converted_at, afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.window_of_delivery(
            c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
        )
    ) as kinds,
    afterpush.counted_kinds(
        d.verified_kinds, d.verified_converted_at,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        case
            when d.campaign_source_rank <= 3
            then afterpush.window_of_delivery(
                c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
            )
        end
    ) as verified_kinds,
    d.actions,
    coalesce(d.confirmed_at, d.sent_at) as reached_at,
    coalesce(d.verified_confirmed_at, d.verified_sent_at) as verified_reached_at,
    afterpush.observed_time(d.kinds, d.confirmed_at, d.responded_at, d.failed_at, d.replaced_at) as confirmed_time,
    afterpush.observed_time(d.kinds, d.sent_at, d.responded_at, d.failed_at, d.replaced_at) as sent_time,
    afterpush.observed_time(
        d.verified_kinds, d.verified_confirmed_at, d.verified_responded_at, d.verified_failed_at,
        d.verified_replaced_at
    ) as verified_confirmed_time,
    afterpush.observed_time(
        d.verified_kinds, d.verified_sent_at, d.verified_responded_at, d.verified_failed_at, d.verified_replaced_at
    ) as verified_sent_time,
    d.delivery_id
from afterpush.deliveries as d
left join afterpush.campaigns as c on c.app_id = d.app_id and c.campaign_id = d.campaign_id
where not afterpush.is_held_out(d.kinds);
comment on view afterpush.keyed_deliveries is 'Deliveries with the keys under which rollups count them.';
