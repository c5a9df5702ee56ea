-- The share of deliveries that are still unanswered after a time, for those that a report selects: the Kaplan-Meier
-- estimate, on one clock (report_observed_times). A row for each time of a response; of more than 1,000, one for each time
-- bucket, with the longest time in it.
--
-- Up to `exact_up_to` deliveries, it reads each of them. Above, or if some of them are purged, it reads rollups
-- (report_observed_totals): a row for each time bucket, whose time is at most 4 % off.
create or replace function afterpush.report_response_curve(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, on_clock text default 'auto', exact_up_to bigint default 100000,
    only_app_version text default null
)
returns table (
    seconds double precision, at_risk bigint, responded bigint, survival double precision, clock text
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_response_curve.app);
    now_at constant timestamptz := afterpush.as_of(report_response_curve.app);
    starts timestamptz;
    ends timestamptz;
    chosen text := nullif(on_clock, 'auto');
begin
    select s.starts, s.ends
    into starts, ends
    from afterpush.report_span(this_app, "from", "to", only_campaign, report_response_curve.verified) as s;
    if on_clock = 'auto' then
        chosen := afterpush.report_response_clock(
            this_app, starts, ends, only_campaign, only_category, only_variant, only_platform,
            report_response_curve.verified, only_app_version
        );
    end if;
    if not afterpush.report_keeps_deliveries(
        this_app, starts, ends, only_campaign, only_category, only_variant, only_platform,
        report_response_curve.verified, exact_up_to
    ) then
        return query
        select afterpush.bucket_seconds(s.bucket::smallint), s.at_risk, s.responded, s.survival, chosen
        from afterpush.observed_survival(
            array(
                select t.observed
                from afterpush.report_observed_totals(
                    this_app, starts, ends, only_campaign, only_category, only_variant, only_platform,
                    report_response_curve.verified, '{}', 'UTC', coalesce(chosen, 'sent'), now_at,
                    only_app_version
                ) as t
            ),
            now_at
        ) as s;
        return;
    end if;
    return query
    with observed as (
        select o.seconds, o.has_responded, o.clock
        from afterpush.report_observed_times(
            report_response_curve.app, report_response_curve."from", report_response_curve."to", only_campaign,
            only_category, only_variant, only_platform, report_response_curve.verified, chosen,
            only_app_version
        ) as o
        where o.seconds is not null
    ),
    -- Each with the number of deliveries that were observed at least as long.
    ranked as (
        select seconds, has_responded, clock, count(*) over (order by seconds desc) as at_risk
        from observed
    ),
    moments as (
        select seconds, max(at_risk) as at_risk, count(*) as responded, max(clock) as clock
        from ranked
        where has_responded
        group by seconds
    ),
    survivals as (
        select
            seconds,
            responded,
            at_risk,
            clock,
            -- A product, by logarithms; 0 once no delivery is left.
            exp(
                sum(
                    case
                        when responded < at_risk then ln((at_risk - responded)::double precision / at_risk)
                        else '-infinity'
                    end
                ) over (order by seconds)
            ) as survival,
            count(*) over () as moments
        from moments
    )
    select max(seconds), max(at_risk), sum(responded)::bigint, min(survival), max(clock)
    from survivals
    -- The buckets of time_bucket.
    group by case
        when moments <= 1000 then seconds
        when seconds > 0 then 1 + floor(ln(seconds * 1e6::double precision) / ln(1.08::double precision))
        else 0
    end;
end
$$;
comment on function afterpush.report_response_curve is
    'The share of deliveries that a report selects that are still unanswered after a time.';
