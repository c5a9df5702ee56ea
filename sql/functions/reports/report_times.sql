-- How long it took until deliveries were responded to, by group: the median, and the times within which 90 and 99 % of
-- the responses come; and how many of the responses have a start to measure from (`timed`).
--
-- The quantiles come from the Kaplan-Meier estimate, on one clock (report_observed_times): with S the share that is still
-- unanswered after a time, the quantile q is the first time at which 1 - S reaches q times its last value. Where all
-- deliveries were observed longer than any response took, that is the quantile of the responses. Otherwise, it does not
-- take recent deliveries that nobody has answered yet for deliveries that nobody will answer.
--
-- That reads each delivery. Above `exact_up_to` deliveries, or if some of them are purged, the quantiles are those of the
-- responses so far, from the confirmation, else the send: `clock` is then 'either'. This reads rollups, whose arrays
-- `times` hold running totals of deliveries by the time that they took; combined_quantile reads those of several rows
-- together. A clock that is asked for is always used.
create or replace function afterpush.report_times(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, by text, tz text,
    on_clock text default 'auto', exact_up_to bigint default 100000
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    responded bigint, p50_seconds double precision, p90_seconds double precision, p99_seconds double precision,
    timed bigint, clock text
)
language plpgsql stable
-- Planned for its arguments, so that the statement reads and groups by only what these ask for.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_times.app);
    keys constant text[] := coalesce(string_to_array(nullif(report_times.by, ''), ','), '{}');
    by_hour constant boolean := keys && array['hour', 'app_version'] or 'day' = any (keys) and report_times.tz <> 'UTC';
    starts timestamptz;
    ends timestamptz;
    -- Days that are not selected whole. They are read by the hour.
    split timestamptz[] := '{}';
    -- The columns of the groups, and how they divide and group rows.
    shown text;
    listed text;
    parts text;
    grouped text;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    if on_clock <> 'auto' or afterpush.report_keeps_deliveries(
        this_app, starts, ends, only_campaign, only_category, only_variant, only_platform, report_times.verified,
        exact_up_to
    ) then
        -- Executed as text, so that it sorts by the groups that are asked for only.
        select
            string_agg(
                case when word = any (keys) then key else 'null::' || type end || ' as ' || name, ', ' order by place
            ),
            string_agg(name || ', ', '' order by place) filter (where word = any (keys)),
            'partition by ' || string_agg(name, ', ' order by place) filter (where word = any (keys)),
            coalesce(string_agg(name, ', ' order by place) filter (where word = any (keys)), '()')
        into shown, listed, parts, grouped
        from (
            values
                (1, 'campaign', 'campaign_id', 'text', 'campaign_id'),
                (2, 'category', 'category_id', 'text', 'category_id'),
                (3, 'variant', 'variant', 'text', 'variant'),
                (4, 'platform', 'platform', 'text', 'platform'),
                (5, 'day', 'day', 'date', format('(hour at time zone %L)::date', report_times.tz)),
                (6, 'hour', 'hour', 'timestamptz', 'hour'),
                (7, 'app_version', 'app_version', 'text', 'app_version')
        ) as k (place, word, name, type, key);
        return query execute format(
            $text$
            with times as (
                select
                    %1$s, clock, seconds,
                    count(*) as observed,
                    count(*) filter (where has_responded) as responded
                from afterpush.report_observed_times($1, $2, $3, $4, $5, $6, $7, $8, $9)
                group by %2$s clock, seconds
            ),
            ranked as (
                select *, sum(observed::integer) over (%3$s order by seconds desc) as at_risk
                from times
                where seconds is not null
            ),
            survivals as (
                select
                    *,
                    -- A product, by logarithms; 0 once no delivery is left.
                    exp(
                        sum(
                            case
                                when responded < at_risk
                                then ln((at_risk - responded) / at_risk::double precision)
                                else '-infinity'
                            end
                        ) over (%3$s order by seconds)
                    ) as survival
                from ranked
                where responded > 0
            ),
            shares as (
                select *, 1 - survival as answered, 1 - min(survival) over (%3$s) as last
                from survivals
                union all
                select *, null, null, null, null
                from times
                where seconds is null
                   or responded = 0
            )
            -- Quantiles allow for the rounding of logarithms.
            select
                nullif(max(campaign_id), ''), nullif(max(category_id), ''), nullif(max(variant), ''),
                nullif(max(platform), ''), max(day), max(hour), nullif(max(app_version), ''),
                coalesce(sum(responded), 0)::bigint,
                min(seconds) filter (where answered >= 0.5 * last - 1e-9),
                min(seconds) filter (where answered >= 0.9 * last - 1e-9),
                min(seconds) filter (where answered >= 0.99 * last - 1e-9),
                coalesce(sum(responded) filter (where seconds is not null), 0)::bigint,
                coalesce(max(clock), nullif($9, 'auto'))
            from shares
            group by %4$s
            having sum(responded) > 0
                or $10
            $text$,
            shown, listed, parts, grouped
        )
        using
            report_times.app, report_times."from", report_times."to", only_campaign, only_category, only_variant,
            only_platform, report_times.verified, on_clock, cardinality(keys) = 0;
        return;
    end if;
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends]);
    end if;
    return query
    with responses as (
        select h.*
        from afterpush.report_response_hours(
            this_app, starts, ends, only_campaign, only_category, only_variant, only_platform, report_times.verified,
            keys, report_times.tz, case when not by_hour then split end
        ) as h
        where by_hour
           or cardinality(split) > 0
        union all
        select
            case when 'campaign' = any (keys) then d.campaign_id end,
            case when 'category' = any (keys) then d.category_id end,
            case when 'variant' = any (keys) then d.variant end,
            case when 'platform' = any (keys) then d.platform end,
            case when 'day' = any (keys) then (d.anchor_day at time zone tz)::date end,
            case when 'hour' = any (keys) then d.anchor_day end,
            null,
            d.deliveries,
            d.times
        from afterpush.rollup_response_days as d
        where not by_hour
          and d.app_id = this_app
          and d.verified = report_times.verified
          and (only_campaign is null or d.campaign_id = only_campaign)
          and (only_category is null or d.category_id = only_category)
          and (only_variant is null or d.variant = only_variant)
          and (only_platform is null or d.platform = only_platform)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and d.anchor_day <> all (split)
    ),
    read as (
        select
            *,
            afterpush.running_totals_quantile(times, 50) as p50,
            afterpush.running_totals_quantile(times, 90) as p90,
            afterpush.running_totals_quantile(times, 99) as p99
        from responses
        -- Each quantile is computed once.
        offset 0
    ),
    grouped as (
        select
            campaign_id, category_id, variant, platform, day, hour, app_version,
            coalesce(sum(deliveries), 0)::bigint as responded,
            sum(times[cardinality(times)]) as timed,
            min(p50) as least_p50,
            max(p50) as greatest_p50,
            min(p90) as least_p90,
            max(p90) as greatest_p90,
            min(p99) as least_p99,
            max(p99) as greatest_p99,
            array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null) as several
        from read
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    found as (
        select
            *,
            afterpush.combined_quantile(several, timed, 50, least_p50, greatest_p50)::smallint as p50,
            afterpush.combined_quantile(several, timed, 90, least_p90, greatest_p90)::smallint as p90,
            afterpush.combined_quantile(several, timed, 99, least_p99, greatest_p99)::smallint as p99
        from grouped
        offset 0
    )
    select
        nullif(campaign_id, ''), nullif(category_id, ''), nullif(variant, ''), nullif(platform, ''), day, hour,
        nullif(app_version, ''), responded,
        afterpush.bucket_seconds(p50), afterpush.bucket_seconds(p90), afterpush.bucket_seconds(p99),
        coalesce(timed, 0)::bigint, 'either'
    from found;
    if not found and cardinality(keys) = 0 then
        -- Without groups there is a row even if nothing is selected.
        responded := 0;
        timed := 0;
        return next;
    end if;
end
$$;
comment on function afterpush.report_times is
    'How long deliveries that a report selects took to be responded to, by group.';
