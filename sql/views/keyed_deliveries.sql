-- Deliveries with the keys under which rollups count them: unknown dimensions are empty, an unstated category version
-- is 0. Deliveries that were held out are in no rollup.
--
-- reached_at  the confirmation, else the send: where the time to a response begins; null if there is neither
create or replace view afterpush.keyed_deliveries as
select
    app_id,
    afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) as anchor_hour,
    coalesce(app_version, '') as app_version,
    coalesce(campaign_id, '') as campaign_id,
    coalesce(variant, '') as variant,
    coalesce(category_id, '') as category_id,
    coalesce(category_version, 0) as category_version,
    coalesce(platform, '') as platform,
    afterpush.verified_dimensions(
        platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
    ) as verified_dimensions,
    kinds,
    verified_kinds,
    actions,
    coalesce(confirmed_at, sent_at) as reached_at,
    coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at,
    responded_at,
    verified_responded_at,
    delivery_id
from afterpush.deliveries
where not afterpush.is_held_out(kinds);
comment on view afterpush.keyed_deliveries is 'Deliveries with the keys under which rollups count them.';
