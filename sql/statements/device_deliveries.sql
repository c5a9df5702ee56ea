-- Deliveries of a device, for its export.
-- $1: delivery_ids.
-- Returns a row per delivery: the delivery as a JSON object without nulls.
select jsonb_strip_nulls(
    to_jsonb(d) - array['app_id', 'kinds', 'verified_kinds', 'platform_source_rank', 'app_version_source_rank',
        'campaign_source_rank', 'category_source_rank', 'device_number']
)
from afterpush.deliveries as d
where d.delivery_id = any ($1)
order by d.delivery_id
