-- The values of the deliveries that a report selects, one row per group and currency. The parameters are those of
-- report_counts; groups have the same keys as there. Each is a sum over the deliveries
-- of the base that have a value, except value_outside_base.
--
-- A campaign's declared sends count all its deliveries as sent; by day or hour they are no base, and it has no other.
--
-- With `whole_days` the selection is widened to whole UTC days, as report_device_buckets does, and the values are
-- returned by device bucket as well: buckets and bucket_values are parallel, for value_design_effect.
create or replace function afterpush.report_values(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], by text, tz text, whole_days boolean default false,
    only_app_version text default null
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    currency text, deliveries bigint, value numeric, squares numeric, value_outside_base numeric,
    buckets smallint[], bucket_values numeric[]
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_values.by, ''), ','), '{}');
    by_time constant boolean := keys && array['day', 'hour'];
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_values.app);
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    starts constant timestamptz :=
        case when whole_days then afterpush.day_of(report_values."from") else report_values."from" end;
    ends constant timestamptz := case
        when whole_days
        then afterpush.day_of(report_values."to" - interval '1 microsecond') + interval '24 hours'
        else report_values."to"
    end;
begin
    return query
    select
        g.campaign_id, g.category_id, g.variant, g.platform, g.day, g.hour, g.app_version, g.currency,
        coalesce(sum(g.deliveries) filter (where in_base), 0)::bigint,
        coalesce(sum(g.value) filter (where in_base), 0),
        coalesce(sum(g.squares) filter (where in_base), 0),
        coalesce(sum(g.value) filter (where not in_base), 0),
        array_agg(g.device_bucket) filter (where in_base and g.device_bucket is not null),
        array_agg(g.value) filter (where in_base and g.device_bucket is not null)
    from (
        select
            case when 'campaign' = any (keys) then nullif(s.campaign_id, '') end as campaign_id,
            case when 'category' = any (keys) then nullif(s.category_id, '') end as category_id,
            case when 'variant' = any (keys) then nullif(s.variant, '') end as variant,
            case when 'platform' = any (keys) then nullif(s.platform, '') end as platform,
            case when 'day' = any (keys) then (s.anchor_hour at time zone report_values.tz)::date end as day,
            case when 'hour' = any (keys) then s.anchor_hour end as hour,
            case when 'app_version' = any (keys) then nullif(s.app_version, '') end as app_version,
            nullif(s.currency, '') as currency,
            case coalesce(b.base, base_of_most)
                when 'sent'
                then case when s.campaign_id = any (declared) then not by_time else s.is_sent end
                when 'confirmed' then s.is_confirmed
                else false
            end as in_base,
            case when whole_days then s.device_bucket end as device_bucket,
            sum(s.deliveries) as deliveries,
            sum(s.value) as value,
            sum(s.squares) as squares
        from afterpush.rollup_values as s
        left join unnest(bases) as b on b.campaign_id = s.campaign_id
        where s.app_id = this_app
          and s.verified = report_values.verified
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and (only_app_version is null or s.app_version = only_app_version)
          and (starts is null or s.anchor_hour >= starts)
          and (ends is null or s.anchor_hour < ends)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) as g
    group by 1, 2, 3, 4, 5, 6, 7, 8;
end
$$;
comment on function afterpush.report_values is 'The values of the deliveries that a report selects, by group and currency.';
