-- How the numbers of events change because deliveries have other dimensions now: the events that were merged before
-- leave the old dimensions and join the new ones.
--
-- before: the deliveries, with the dimensions under which their events are counted so far.
-- Returns signed numbers for rollup_events; null if nothing changes. Those of sealed hours are among them, and roll_up
-- leaves them out.
--
-- The events of each delivery are looked up on their own (`offset 0`). PostgreSQL, which may use no sequential scan here,
-- otherwise chose to read all events of the database and to compare each with each delivery.
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
        cross join lateral (
            select * from afterpush.merged_events as m where m.delivery_id = b.delivery_id offset 0
        ) as e
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
