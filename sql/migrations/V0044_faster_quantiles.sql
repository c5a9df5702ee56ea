-- Quantiles of response times in a fraction of the time. A statement within a function costs tens of microseconds each time it
-- runs, and so does a function of SQL that is not inlined: it is not if an argument that it uses twice is dear.

create or replace function afterpush.times_quantile(
    several afterpush.running_times[], total bigint, percent integer, lowest integer, highest integer
) returns integer
language plpgsql immutable parallel safe
as $$
declare
    wanted constant bigint := (total * percent + 99) / 100;
    middle integer;
    reached bigint;
    one afterpush.running_times;
begin
    while lowest < highest loop
        middle := lowest + (highest - lowest) / 2;
        reached := 0;
        -- A loop, not a sum over unnest: expressions without a FROM need no statement to be run.
        foreach one in array several loop
            reached := reached + afterpush.times_up_to(one.times, middle);
        end loop;
        if reached >= wanted then
            highest := middle;
        else
            lowest := middle + 1;
        end if;
    end loop;
    return lowest;
end
$$;

-- Without numerics: a double holds halves exactly.
create or replace function afterpush.bucket_seconds(bucket smallint) returns double precision
language sql immutable parallel safe
return case
    when bucket < 0 then case when bucket = -1 then 0::double precision end
    when bucket = 0 then 0::double precision
    else power(1.08::double precision, bucket - 0.5::double precision) / 1e6::double precision
end;

-- As they were, but that a bucket is found before its seconds are.

create or replace function afterpush.report_taps(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, base text, versions boolean
)
returns table (
    category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean,
    acted bigint, acted_base bigint, total bigint, p50_seconds double precision
)
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_taps.app);
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    category_versions afterpush.category_versions[];
    starts timestamptz;
    ends timestamptz;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    source text;
begin
    select array_agg(v) into category_versions from afterpush.category_versions as v where v.app_id = this_app;
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    split := afterpush.report_split(
        starts, ends,
        array[starts, ends] || (select array_agg(v.in_force_from) from unnest(category_versions) as v where v.version > 1)
    );
    source := format(
        $text$
        select
            campaign_id, variant, category_id, category_version, action_id, hour,
            sum(deliveries)::integer as deliveries, sum(based)::integer as deliveries_base, sum(events)::integer as events,
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select
                campaign_id, variant, category_id, category_version, action_id, bucket,
                case
                    when afterpush.day_of(anchor_hour) = any (%L::timestamptz[]) then anchor_hour
                    else afterpush.day_of(anchor_hour)
                end as hour,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where %s), 0) as based,
                sum(events) as events
            from afterpush.rollup_actions
            where app_id = %s and verified = %L %s %s
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        $text$,
        split,
        case base when 'sent' then 'is_sent' when 'confirmed' then 'is_confirmed' else 'false' end,
        this_app, report_taps.verified, conditions,
        concat(
            afterpush.report_within('anchor_hour', starts, ends),
            case when only_platform is null then afterpush.report_within_days('anchor_hour', split) end
        )
    );
    if only_platform is null then
        source := case when cardinality(split) > 0 then source || ' union all ' else '' end || format(
            $text$
            select
                campaign_id, variant, category_id, category_version, action_id, anchor_day as hour, deliveries,
                %s as deliveries_base, events, times
            from afterpush.rollup_action_days
            where app_id = %s and verified = %L %s %s and anchor_day <> all (%L::timestamptz[])
            $text$,
            case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
            this_app, report_taps.verified, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            category_id, version, campaign_id, variant, action_id, offered, acted, acted_base, total,
            afterpush.bucket_seconds(bucket)
        from (
            select
                category_id, version, campaign_id, variant, action_id, offered, acted, acted_base, total,
                case
                    when several is null then least_p50
                    else afterpush.times_quantile(several, timed, 50, least_p50, greatest_p50)
                end::smallint as bucket
            from (
                select
                    category_id, version, campaign_id, variant, action_id, offered,
                    sum(deliveries)::bigint as acted,
                    sum(deliveries_in)::bigint as acted_base,
                    sum(events)::bigint as total,
                    sum(times[cardinality(times)]) as timed,
                    min(p50) as least_p50,
                    max(p50) as greatest_p50,
                    case
                        when min(p50) < max(p50)
                        then array_agg(row(times)::afterpush.running_times) filter (where p50 is not null)
                    end as several
                from (
                    select
                        s.category_id,
                        %1$s as version,
                        s.campaign_id,
                        s.variant,
                        s.action_id,
                        coalesce(s.action_id = any (v.offered), false) as offered,
                        s.deliveries,
                        -- Of a campaign with declared sends all deliveries are among them.
                        case
                            when %2$L and s.campaign_id = any ($2) then s.deliveries
                            else s.deliveries_base
                        end as deliveries_in,
                        s.events,
                        s.times,
                        afterpush.times_quantile(s.times, 50) as p50
                    from (%3$s) as s
                    left join unnest($1) as v
                        on v.category_id = s.category_id
                        and case
                            when s.category_version > 0 then v.version = s.category_version
                            else s.hour >= v.in_force_from and s.hour < v.in_force_to
                        end
                    offset 0
                ) as offers
                group by 1, 2, 3, 4, 5, 6
            ) as grouped
            offset 0
        ) as found
        $text$,
        case when report_taps.versions then 'coalesce(v.version, nullif(s.category_version, 0))' else 'null::integer' end,
        base = 'sent' and cardinality(declared) > 0,
        source
    )
    using category_versions, declared;
end
$$;

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
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
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
                afterpush.times_quantile(several, timed, 50, least_p50, greatest_p50)::smallint as p50,
                afterpush.times_quantile(several, timed, 90, least_p90, greatest_p90)::smallint as p90,
                afterpush.times_quantile(several, timed, 99, least_p99, greatest_p99)::smallint as p99
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
                    array_agg(row(times)::afterpush.running_times) filter (where p50 is not null) as several
                from (
                    select
                        s.*,
                        afterpush.times_quantile(s.times, 50) as p50,
                        afterpush.times_quantile(s.times, 90) as p90,
                        afterpush.times_quantile(s.times, 99) as p99
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
