-- The deliveries $1 as JSON.
select jsonb_strip_nulls(
    to_jsonb(d) - array['app_id', 'kinds', 'verified_kinds', 'platform_standing', 'app_version_standing',
        'campaign_standing', 'category_standing']
)
from afterpush.deliveries as d
where d.delivery_id = any ($1)
order by d.delivery_id
