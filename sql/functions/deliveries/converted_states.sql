-- A delivery that a merge touches, as the rollup of values counts it: a row for what it is now, and one for what it was;
-- none where it has no converted event.
--
-- PostgreSQL inlines this function into its caller: keep it one select without `set`.
create or replace function afterpush.converted_states(touched afterpush.touched_delivery)
returns setof afterpush.converted_delivery
language sql immutable
as $$
    select
        1, touched.delivery_id, touched.app_id, touched.anchor_hour, coalesce(touched.app_version, ''),
        coalesce(touched.campaign_id, ''), coalesce(touched.variant, ''), coalesce(touched.category_id, ''),
        coalesce(touched.platform, ''),
        afterpush.verified_dimensions(
            touched.platform_source_rank, touched.app_version_source_rank, touched.campaign_source_rank,
            touched.category_source_rank
        ),
        touched.kinds, touched.verified_kinds
    where afterpush.has_converted_event(touched.kinds)
    union all
    select
        -1, touched.delivery_id, touched.app_id, touched.old_anchor_hour, coalesce(touched.old_app_version, ''),
        coalesce(touched.old_campaign_id, ''), coalesce(touched.old_variant, ''),
        coalesce(touched.old_category_id, ''), coalesce(touched.old_platform, ''), touched.old_verified_dimensions,
        touched.old_kinds, touched.old_verified_kinds
    -- What the rollups counted of it may lack `converted`, outside the conversion window.
    where afterpush.has_any_conversion(touched.old_kinds)
$$;
comment on function afterpush.converted_states is
    'A delivery with a converted event that a merge touches, as it is now and as it was.';
