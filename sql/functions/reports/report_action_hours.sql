-- What was taken, read by the hour: all hours of a selection by platform, else those of the days in `split`. Hours of a
-- day that is not in `split` are summed up to the day, and stand under its first hour.
create or replace function afterpush.report_action_hours(
    app_id integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], split timestamptz[]
)
returns table (
    campaign_id text, variant text, category_id text, category_version integer, action_id text, hour timestamptz,
    deliveries integer, deliveries_base integer, events integer, times integer[]
)
language plpgsql stable
-- Seldom more: those of a few days.
rows 100
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    split_hours constant timestamptz[] := array(
        select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
    );
    base_of_most constant text := coalesce((bases[1]).base, 'none');
begin
    return query
    select
        h.campaign_id, h.variant, h.category_id, h.category_version, h.action_id, h.hour,
        sum(h.deliveries)::integer as deliveries,
        sum(h.deliveries_base)::integer as deliveries_base,
        sum(h.events)::integer as events,
        afterpush.running_totals_of(
            array_agg(h.bucket order by h.bucket), array_agg(h.deliveries order by h.bucket)
        ) as times
    from (
        select
            a.campaign_id, a.variant, a.category_id, a.category_version, a.action_id, a.bucket,
            case
                when afterpush.day_of(a.anchor_hour) = any (split) then a.anchor_hour
                else afterpush.day_of(a.anchor_hour)
            end as hour,
            sum(a.deliveries)::bigint as deliveries,
            coalesce(
                sum(a.deliveries) filter (
                    where case coalesce(b.base, base_of_most)
                        when 'sent' then a.is_sent
                        when 'confirmed' then a.is_confirmed
                        else false
                    end
                ),
                0
            ) as deliveries_base,
            sum(a.events) as events
        from afterpush.rollup_actions as a
        left join unnest(bases) as b on b.campaign_id = a.campaign_id
        where a.app_id = report_action_hours.app_id
          and a.verified = report_action_hours.verified
          and (only_campaign is null or a.campaign_id = only_campaign)
          and (only_category is null or a.category_id = only_category)
          and (only_variant is null or a.variant = only_variant)
          and (only_platform is null or a.platform = only_platform)
          and ("from" is null or a.anchor_hour >= "from")
          and ("to" is null or a.anchor_hour < "to")
          and (only_platform is not null or a.anchor_hour = any (split_hours))
        group by 1, 2, 3, 4, 5, 6, 7
    ) as h
    group by 1, 2, 3, 4, 5, 6;
end
$$;
comment on function afterpush.report_action_hours is
    'Deliveries acted on, by action and hour or day, with the running totals of their times.';
