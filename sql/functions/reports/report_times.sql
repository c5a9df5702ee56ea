-- How long it took until deliveries were responded to, by group: the median, and the times within which 90 and 99 % of
-- the responses come; and how many of the responses have a start to measure from (`timed`).
--
-- The quantiles come from the Kaplan-Meier estimate, on one clock (report_observed_times): with S the share that is still
-- unanswered after a time, the quantile q is the first time at which 1 - S reaches q times its last value. Where all
-- deliveries were observed longer than any response took, that is the quantile of the responses. Otherwise, it does not
-- take recent deliveries that nobody has answered yet for deliveries that nobody will answer.
--
-- Up to `exact_up_to` deliveries, that reads each of them. Above, or if some of them are purged, it reads rollups, and the
-- times are those of logarithmic buckets, at most 4 % off. The rollups hold running totals of deliveries by how long they
-- were observed (rollup_responses). Where no observation ended without a response before the last response, the estimate
-- is the share of the responses, and combined_quantile finds the quantile by a search.
create or replace function afterpush.report_times(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, by text, tz text,
    on_clock text default 'auto', exact_up_to bigint default 100000, only_app_version text default null
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
    now_at constant timestamptz := afterpush.as_of(report_times.app);
    starts timestamptz;
    ends timestamptz;
    chosen text := nullif(on_clock, 'auto');
    -- The columns of the groups, and how they divide and group rows.
    shown text;
    listed text;
    parts text;
    grouped text;
begin
    select s.starts, s.ends
    into starts, ends
    from afterpush.report_span(this_app, "from", "to", only_campaign, report_times.verified) as s;
    if on_clock = 'auto' then
        chosen := afterpush.report_response_clock(
            this_app, starts, ends, only_campaign, only_category, only_variant, only_platform, report_times.verified,
            only_app_version
        );
    end if;
    if afterpush.report_keeps_deliveries(
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
                from afterpush.report_observed_times($1, $2, $3, $4, $5, $6, $7, $8, $9, $11)
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
                $9
            from shares
            group by %4$s
            having sum(responded) > 0
                or $10
            $text$,
            shown, listed, parts, grouped
        )
        using
            report_times.app, report_times."from", report_times."to", only_campaign, only_category, only_variant,
            only_platform, report_times.verified, chosen, cardinality(keys) = 0, only_app_version;
        return;
    end if;
    return query
    with read as (
        select
            t.*,
            (t.observed).times[1] as first_bucket,
            (t.observed).times[1] + cardinality((t.observed).times) - 2 as last_bucket,
            (t.observed).times[cardinality((t.observed).times)] as timed,
            afterpush.running_totals_quantile((t.observed).times, 50) as p50,
            afterpush.running_totals_quantile((t.observed).times, 90) as p90,
            afterpush.running_totals_quantile((t.observed).times, 99) as p99,
            (t.observed).ended[1] as first_ended,
            (t.observed).ended[1] + cardinality((t.observed).ended) - 2 as last_ended,
            afterpush.open_bucket(
                (t.observed).open[1] + cardinality((t.observed).open) - 2, (t.observed).slot_seconds, now_at
            ) as shortest_open
        from afterpush.report_observed_totals(
            this_app, starts, ends, only_campaign, only_category, only_variant, only_platform, report_times.verified,
            keys, report_times.tz, coalesce(chosen, 'sent'), now_at, only_app_version
        ) as t
        -- Each quantile is computed once.
        offset 0
    ),
    grouped as (
        select
            campaign_id, category_id, variant, platform, day, hour, app_version,
            coalesce(sum(responded), 0)::bigint as responded,
            sum(timed) as timed,
            min(p50) as least_p50,
            max(p50) as greatest_p50,
            min(p90) as least_p90,
            max(p90) as greatest_p90,
            min(p99) as least_p99,
            max(p99) as greatest_p99,
            -- Whether an observation that ended without a response counts in the risk of some responses only.
            coalesce(min(first_ended) < max(last_bucket) and max(last_ended) >= min(first_bucket), false)
                or coalesce(min(shortest_open) < max(last_bucket), false)
            as is_censored,
            array_agg(row((observed).times)::afterpush.running_totals) filter (where p50 is not null) as several,
            array_agg(observed) as observations
        from read
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(responded) > 0
    ),
    found as (
        select
            *,
            case
                when not is_censored then afterpush.combined_quantile(several, timed, 50, least_p50, greatest_p50)
            end as p50,
            case
                when not is_censored then afterpush.combined_quantile(several, timed, 90, least_p90, greatest_p90)
            end as p90,
            case
                when not is_censored then afterpush.combined_quantile(several, timed, 99, least_p99, greatest_p99)
            end as p99
        from grouped
        offset 0
    )
    select
        nullif(campaign_id, ''), nullif(category_id, ''), nullif(variant, ''), nullif(platform, ''), day, hour,
        nullif(app_version, ''), responded,
        afterpush.bucket_seconds(coalesce(f.p50, e.p50)::smallint),
        afterpush.bucket_seconds(coalesce(f.p90, e.p90)::smallint),
        afterpush.bucket_seconds(coalesce(f.p99, e.p99)::smallint),
        coalesce(timed, 0)::bigint, chosen
    from found as f
    left join lateral (
        select
            min(s.bucket) filter (where 1 - s.survival >= 0.5 * s.last - 1e-9) as p50,
            min(s.bucket) filter (where 1 - s.survival >= 0.9 * s.last - 1e-9) as p90,
            min(s.bucket) filter (where 1 - s.survival >= 0.99 * s.last - 1e-9) as p99
        from (
            select bucket, survival, 1 - min(survival) over () as last
            from afterpush.observed_survival(f.observations, now_at)
            -- Here, so that it is computed only then.
            where f.is_censored
        ) as s
    ) as e on true;
    if not found and cardinality(keys) = 0 then
        -- Without groups there is a row even if nothing is selected.
        responded := 0;
        timed := 0;
        clock := chosen;
        return next;
    end if;
end
$$;
comment on function afterpush.report_times is
    'How long deliveries that a report selects took to be responded to, by group.';
