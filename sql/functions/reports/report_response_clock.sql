-- The clock of all times to response of a selection: 'confirmed' if at least half of the deliveries that were confirmed
-- or sent are confirmed, else 'sent'; null if none was either. So a few confirmations, which anyone may make up, don't
-- leave out most deliveries. It reads rollups: days that are selected whole by the day, others by the hour, and all
-- hours of a version of the app.
create or replace function afterpush.report_response_clock(
    of_app integer, starts timestamptz, ends timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, only_app_version text default null
)
returns text
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
declare
    split constant timestamptz[] := afterpush.report_split(starts, ends, array[starts, ends]);
begin
    return (
        select
            case
                when sum(confirmed) > 0 and 2 * sum(confirmed) >= sum(either) then 'confirmed'
                when sum(sent) > 0 then 'sent'
            end
        from (
            select
                sum(d.deliveries_confirmed) as confirmed,
                sum(d.deliveries_sent) as sent,
                sum(d.deliveries_sent + d.deliveries_confirmed - d.deliveries_both) as either
            from afterpush.rollup_delivery_days as d
            where only_app_version is null
              and d.app_id = of_app
              and d.verified = only_verified
              and (only_campaign is null or d.campaign_id = only_campaign)
              and (only_category is null or d.category_id = only_category)
              and (only_variant is null or d.variant = only_variant)
              and (only_platform is null or d.platform = only_platform)
              and (starts is null or d.anchor_day >= starts)
              and (ends is null or d.anchor_day < ends)
              and d.anchor_day <> all (split)
            union all
            select
                sum(h.deliveries) filter (where h.is_confirmed),
                sum(h.deliveries) filter (where h.is_sent),
                sum(h.deliveries) filter (where h.is_sent or h.is_confirmed)
            from afterpush.rollup_deliveries as h
            where only_app_version is null
              and cardinality(split) > 0
              and h.app_id = of_app
              and h.verified = only_verified
              and h.anchor_hour = any (array(
                  select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
              ))
              and (only_campaign is null or h.campaign_id = only_campaign)
              and (only_category is null or h.category_id = only_category)
              and (only_variant is null or h.variant = only_variant)
              and (only_platform is null or h.platform = only_platform)
              and (starts is null or h.anchor_hour >= starts)
              and (ends is null or h.anchor_hour < ends)
            union all
            select
                sum(v.deliveries) filter (where v.is_confirmed),
                sum(v.deliveries) filter (where v.is_sent),
                sum(v.deliveries) filter (where v.is_sent or v.is_confirmed)
            from afterpush.rollup_app_versions as v
            where v.app_id = of_app
              and v.verified = only_verified
              and v.app_version = only_app_version
              and (only_campaign is null or v.campaign_id = only_campaign)
              and (only_category is null or v.category_id = only_category)
              and (only_variant is null or v.variant = only_variant)
              and (only_platform is null or v.platform = only_platform)
              and (starts is null or v.anchor_hour >= starts)
              and (ends is null or v.anchor_hour < ends)
        ) as counted
    );
end
$$;
comment on function afterpush.report_response_clock is
    'The clock of all times to response of a selection: confirmed, sent, or null.';
