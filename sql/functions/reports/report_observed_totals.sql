-- How long deliveries that a report selects were observed without a response on one clock, from rollups: several rows for
-- a group, to be taken together. Days that are selected whole are read by the day, except the last two: there it matters
-- when in the day an observation began that is not over yet.
--
-- keys: the groups, of the words of parameter `by`.
create or replace function afterpush.report_observed_totals(
    of_app integer, starts timestamptz, ends timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, keys text[], tz text, on_clock text, now_at timestamptz,
    only_app_version text default null
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    responded bigint, observed afterpush.observed_totals
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    by_hour constant boolean :=
        keys && array['hour', 'app_version'] or 'day' = any (keys) and tz <> 'UTC' or only_app_version is not null;
    -- The days that are read by the hour. Anchors may lie a day ahead.
    split timestamptz[] := '{}';
begin
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends])
            || array(select afterpush.day_of(now_at) + n * interval '24 hours' from generate_series(-1, 1) as n);
    end if;
    return query
    select h.*
    from afterpush.report_observed_hours(
        of_app, starts, ends, only_campaign, only_category, only_variant, only_platform, only_verified, keys, tz,
        case when not by_hour then split end, on_clock, only_app_version
    ) as h
    union all
    select
        case when 'campaign' = any (keys) then d.campaign_id end,
        case when 'category' = any (keys) then d.category_id end,
        case when 'variant' = any (keys) then d.variant end,
        case when 'platform' = any (keys) then d.platform end,
        case when 'day' = any (keys) then (d.anchor_day at time zone tz)::date end,
        null,
        null,
        d.deliveries,
        case
            when on_clock = 'confirmed'
            then row(d.confirmed_times, d.confirmed_ended, d.confirmed_open, 3600)::afterpush.observed_totals
            else row(d.sent_times, d.sent_ended, d.sent_open, 3600)::afterpush.observed_totals
        end
    from afterpush.rollup_response_days as d
    where not by_hour
      and d.app_id = of_app
      and d.verified = only_verified
      and (only_campaign is null or d.campaign_id = only_campaign)
      and (only_category is null or d.category_id = only_category)
      and (only_variant is null or d.variant = only_variant)
      and (only_platform is null or d.platform = only_platform)
      and (starts is null or d.anchor_day >= starts)
      and (ends is null or d.anchor_day < ends)
      and d.anchor_day <> all (split);
end
$$;
comment on function afterpush.report_observed_totals is
    'How long deliveries that a report selects were observed without a response on one clock, from rollups.';
