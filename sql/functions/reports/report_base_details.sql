-- What report_bases needs and rollup_campaign_days does not have: with `by_dimension` the days of a category, variant or
-- platform, the hours of the days in `split`, and the sends of the campaigns in `declared`; or the hours of a version of
-- the app. The other parameters are those of report_bases.
--
-- A function of its own, so that report_bases does not plan these statements when none is needed: that took 1 ms.
create or replace function afterpush.report_base_details(
    app_id integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, seam timestamptz, by_dimension boolean, split timestamptz[],
    declared text[], by_time boolean, only_app_version text default null
)
returns table (
    campaign_id text, is_later boolean, deliveries bigint, sent bigint, confirmed bigint, local bigint,
    only_local bigint, declared_sends bigint
)
language plpgsql stable
-- Seldom more: those of a few campaigns.
rows 100
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    split_hours constant timestamptz[] := array(
        select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
    );
begin
    if only_app_version is not null then
        return query
        select
            d.campaign_id, coalesce(d.anchor_hour >= seam, true), sum(d.deliveries)::bigint,
            sum(case when d.is_sent then d.deliveries else 0 end)::bigint,
            sum(case when d.is_confirmed then d.deliveries else 0 end)::bigint,
            sum(d.locally_sent)::bigint, sum(d.only_locally_sent)::bigint, null::bigint
        from afterpush.rollup_app_versions as d
        where d.app_id = report_base_details.app_id
          and d.verified = report_base_details.verified
          and d.app_version = only_app_version
          and (only_campaign is null or d.campaign_id = only_campaign)
          and (only_category is null or d.category_id = only_category)
          and (only_variant is null or d.variant = only_variant)
          and (only_platform is null or d.platform = only_platform)
          and ("from" is null or d.anchor_hour >= "from")
          and ("to" is null or d.anchor_hour < "to")
        group by 1, 2;
        return;
    end if;
    if by_dimension then
        return query
        select
            d.campaign_id, coalesce(d.anchor_day >= seam, true), sum(d.deliveries), sum(d.deliveries_sent),
            sum(d.deliveries_confirmed), sum(d.locally_sent),
            sum(d.only_locally_sent), null::bigint
        from afterpush.rollup_delivery_days as d
        where d.app_id = report_base_details.app_id
          and d.verified = report_base_details.verified
          and (only_campaign is null or d.campaign_id = only_campaign)
          and (only_category is null or d.category_id = only_category)
          and (only_variant is null or d.variant = only_variant)
          and (only_platform is null or d.platform = only_platform)
          and ("from" is null or d.anchor_day >= "from")
          and ("to" is null or d.anchor_day < "to")
          and d.anchor_day <> all (split)
        group by 1, 2;
    end if;
    if cardinality(split) > 0 then
        return query
        select
            d.campaign_id, coalesce(d.anchor_hour >= seam, true), sum(d.deliveries)::bigint,
            sum(case when d.is_sent then d.deliveries else 0 end)::bigint,
            sum(case when d.is_confirmed then d.deliveries else 0 end)::bigint,
            sum(d.locally_sent)::bigint, sum(d.only_locally_sent)::bigint, null::bigint
        from afterpush.rollup_deliveries as d
        where d.app_id = report_base_details.app_id
          and d.verified = report_base_details.verified
          and (only_campaign is null or d.campaign_id = only_campaign)
          and (only_category is null or d.category_id = only_category)
          and (only_variant is null or d.variant = only_variant)
          and (only_platform is null or d.platform = only_platform)
          and ("from" is null or d.anchor_hour >= "from")
          and ("to" is null or d.anchor_hour < "to")
          and d.anchor_hour = any (split_hours)
        group by 1, 2;
    end if;
    if cardinality(declared) > 0 then
        return query
        select
            s.campaign_id, coalesce(afterpush.hour_of(s.sent_at) >= seam, true), 0::bigint, 0::bigint, 0::bigint,
            0::bigint, 0::bigint, case when by_time then 0 else s.count end::bigint
        from afterpush.sends as s
        where s.app_id = report_base_details.app_id
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and ("from" is null or afterpush.hour_of(s.sent_at) >= "from")
          and ("to" is null or afterpush.hour_of(s.sent_at) < "to");
    end if;
end
$$;
comment on function afterpush.report_base_details is
    'Deliveries and sends on which the base depends, where rollup_campaign_days does not have them.';
