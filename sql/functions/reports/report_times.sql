create or replace function afterpush.report_times(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, by text, tz text
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    responded bigint, p50_seconds double precision, p90_seconds double precision, p99_seconds double precision
)
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_times.app);
    words constant text[] := coalesce(string_to_array(nullif(report_times.by, ''), ','), '{}');
    by_hour constant boolean := words && array['hour', 'app_version'] or 'day' = any (words) and report_times.tz <> 'UTC';
    counted constant text := case when report_times.verified then 'verified_' else '' end;
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    starts timestamptz;
    ends timestamptz;
    split timestamptz[] := '{}';
    -- What is grouped by: its expressions, its names, each with a comma after it, and all columns as they are shown.
    keys text;
    names text;
    shown text;
    source text;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends]);
    end if;
    select
        coalesce(string_agg(format('%s as key%s, ', key, place), '' order by place) filter (where word = any (words)), ''),
        coalesce(string_agg(format('key%s, ', place), '' order by place) filter (where word = any (words)), ''),
        string_agg(
            case
                when word <> all (words) then 'null::' || type
                when type = 'text' then format('nullif(key%s, '''')', place)
                else format('key%s', place)
            end,
            ', ' order by place
        )
    into keys, names, shown
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'variant', 'text', 'variant'),
            (4, 'platform', 'text', 'platform'),
            (5, 'day', 'date', format('(hour at time zone %L)::date', report_times.tz)),
            (6, 'hour', 'timestamptz', 'hour'),
            (7, 'app_version', 'text', 'app_version')
    ) as k (place, word, type, key);
    source := format(
        $text$
        select
            %1$s sum(deliveries)::integer as deliveries,
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select %2$s bucket, sum(%3$sdeliveries)::bigint as deliveries
            from (select *, anchor_hour as hour from afterpush.rollup_responses) as h
            where app_id = %4$s %5$s %6$s %7$s
            group by %1$s bucket
        ) as timed
        where deliveries > 0
        group by %8$s
        $text$,
        names, keys, counted, this_app, conditions, afterpush.report_within('anchor_hour', starts, ends),
        case when not by_hour then afterpush.report_within_days('anchor_hour', split) end,
        case when names = '' then '()' else rtrim(names, ', ') end
    );
    if not by_hour then
        source := case when cardinality(split) > 0 then source || ' union all ' else '' end || format(
            $text$
            select %1$s %2$sdeliveries as deliveries, %2$stimes as times
            from (select *, anchor_day as hour from afterpush.rollup_response_days) as d
            where app_id = %3$s %4$s %5$s and anchor_day <> all (%6$L::timestamptz[])
            $text$,
            keys, counted, this_app, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            %1$s, responded, afterpush.bucket_seconds(p50), afterpush.bucket_seconds(p90), afterpush.bucket_seconds(p99)
        from (
            select
                %2$s
                responded,
                afterpush.running_totals_quantile(several, timed, 50, least_p50, greatest_p50)::smallint as p50,
                afterpush.running_totals_quantile(several, timed, 90, least_p90, greatest_p90)::smallint as p90,
                afterpush.running_totals_quantile(several, timed, 99, least_p99, greatest_p99)::smallint as p99
            from (
                select
                    %2$s
                    coalesce(sum(deliveries), 0)::bigint as responded,
                    sum(times[cardinality(times)]) as timed,
                    min(p50) as least_p50,
                    max(p50) as greatest_p50,
                    min(p90) as least_p90,
                    max(p90) as greatest_p90,
                    min(p99) as least_p99,
                    max(p99) as greatest_p99,
                    array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null) as several
                from (
                    select
                        s.*,
                        afterpush.running_totals_quantile(s.times, 50) as p50,
                        afterpush.running_totals_quantile(s.times, 90) as p90,
                        afterpush.running_totals_quantile(s.times, 99) as p99
                    from (%3$s) as s
                    where deliveries > 0
                    offset 0
                ) as r
                group by %4$s
            ) as grouped
            offset 0
        ) as found
        $text$,
        shown, names, source, case when names = '' then '()' else rtrim(names, ', ') end
    );
end
$$;
comment on function afterpush.report_times is
    'How long deliveries that a report selects took to be responded to, by group.';
