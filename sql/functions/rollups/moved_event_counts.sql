-- How the numbers of events change because deliveries have other dimensions now: the events that were merged before
-- leave the old dimensions and join the new ones.
--
-- before: the deliveries, with the dimensions under which their events are counted so far.
-- Returns signed numbers for rollup_events; null if nothing changes. Hours that are sealed stay as they are.
--
-- It must run after the deliveries were stored and before the new batches are marked as merged: merged_events shows
-- events under the present dimensions of their delivery, and only those of merged batches.
create or replace function afterpush.moved_event_counts(before afterpush.delivery_dimensions[])
returns afterpush.event_count[]
language sql stable
as $$
    select array_agg(row(moving.*)::afterpush.event_count)
    from (
        select
            e.app_id, e.verified, e.event_hour, side.campaign_id, side.variant, side.category_id, side.platform, e.kind,
            sum(side.sign)::bigint
        from unnest(before) as b
        cross join lateral afterpush.verified_names(
            b.verified_dimensions, coalesce(b.platform, ''), '', coalesce(b.campaign_id, ''), coalesce(b.variant, ''),
            coalesce(b.category_id, ''), 0
        ) as v
        join afterpush.merged_events as e using (delivery_id)
        join afterpush.rollup_worker as w on e.event_hour >= w.sealed_before
        cross join lateral (
            select 1, e.campaign_id, e.variant, e.category_id, e.platform
            union all
            select -1, v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_platform
            where e.verified
            union all
            select
                -1, coalesce(b.campaign_id, ''), coalesce(b.variant, ''), coalesce(b.category_id, ''),
                coalesce(b.platform, '')
            where not e.verified
        ) as side (sign, campaign_id, variant, category_id, platform)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(side.sign) <> 0
    ) as moving
$$;
comment on function afterpush.moved_event_counts is
    'How the numbers of events change because deliveries have other dimensions now.';
