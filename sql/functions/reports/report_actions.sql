-- Actions, a row for each category, campaign, variant and action, and for whether the deliveries' category version offers it;
-- with `versions` for each version as well. What was offered and not tapped has a row too. Names that are not known are ''.
-- Of a selection by platform hours are read, else days.
create or replace function afterpush.report_actions(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, base_choice text, versions boolean
)
returns table (
    category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean,
    offered_n bigint, acted bigint, acted_base bigint, total bigint, p50_seconds double precision
)
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_actions.app);
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    base constant text := afterpush.report_base(
        report_actions.app, "from", "to", only_campaign, only_category, only_variant, only_platform,
        report_actions.verified, base_choice
    );
    -- Of a campaign with declared sends these are the base, and all of its deliveries are among them.
    by_sends constant boolean := base = 'sent' and cardinality(declared) > 0;
    category_versions afterpush.category_versions[];
    starts timestamptz;
    ends timestamptz;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    version text := 'null::integer';
    taps text;
begin
    if report_actions.versions then
        version := 'coalesce(v.version, nullif(s.category_version, 0))';
    end if;
    select array_agg(v) into category_versions from afterpush.category_versions as v where v.app_id = this_app;
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    split := afterpush.report_split(
        "from", "to",
        array["from", "to"] || (select array_agg(v.in_force_from) from unnest(category_versions) as v where v.version > 1)
    );
    taps := format(
        $text$
        select
            campaign_id, variant, category_id, category_version, action_id, hour,
            sum(deliveries)::integer as deliveries, sum(based)::integer as deliveries_base, sum(events)::integer as events,
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
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
        this_app, report_actions.verified, conditions,
        concat(
            afterpush.report_within('anchor_hour', starts, ends),
            case when only_platform is null then afterpush.report_within_days('anchor_hour', split) end
        )
    );
    if only_platform is null then
        taps := case when cardinality(split) > 0 then taps || ' union all ' else '' end || format(
            $text$
            select
                campaign_id, variant, category_id, category_version, action_id, anchor_day as hour, deliveries,
                %s as deliveries_base, events, times
            from afterpush.rollup_action_days
            where app_id = %s and verified = %L %s %s and anchor_day <> all (%L::timestamptz[])
            $text$,
            case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
            this_app, report_actions.verified, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            category_id, version, campaign_id, variant, action_id, offered, offered_n, acted, acted_base, total,
            afterpush.bucket_seconds(bucket)
        from (
            select
                *,
                case
                    when several is null then least_p50
                    else afterpush.running_totals_quantile(several, timed, 50, least_p50, greatest_p50)
                end::smallint as bucket
            from (
                select
                    category_id, version, campaign_id, variant, action_id, offered,
                    sum(base_n)::bigint as offered_n,
                    sum(deliveries)::bigint as acted,
                    sum(deliveries_in)::bigint as acted_base,
                    sum(events)::bigint as total,
                    sum(times[cardinality(times)]) as timed,
                    min(p50) as least_p50,
                    max(p50) as greatest_p50,
                    case
                        when min(p50) < max(p50)
                        then array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null)
                    end as several
                from (
                    select
                        s.category_id,
                        %1$s as version,
                        s.campaign_id,
                        s.variant,
                        s.action_id,
                        coalesce(s.action_id = any (v.offered), false) as offered,
                        0 as base_n,
                        s.deliveries,
                        case when %2$L and s.campaign_id = any ($2) then s.deliveries else s.deliveries_base end
                            as deliveries_in,
                        s.events,
                        s.times,
                        afterpush.running_totals_quantile(s.times, 50) as p50
                    from (%3$s) as s
                    left join unnest($1) as v %5$s
                    union all
                    select category_id, version, campaign_id, variant, action_id, true, base_n, 0, 0, 0, null, null
                    from (
                        select
                            s.category_id,
                            %1$s as version,
                            s.campaign_id,
                            s.variant,
                            v.offered,
                            sum(case when %2$L and s.campaign_id = any ($2) then s.declared_sends else s.deliveries_base end)
                                as base_n
                        from (%4$s) as s
                        join unnest($1) as v %5$s
                        group by 1, 2, 3, 4, 5
                    ) as offering
                    cross join unnest(offered) as action_id
                    offset 0
                ) as listed
                group by 1, 2, 3, 4, 5, 6
            ) as grouped
            offset 0
        ) as found
        $text$,
        version,
        by_sends,
        taps,
        afterpush.report_source(
            this_app, "from", "to", conditions, report_actions.verified, 'days', split, base, cardinality(declared) > 0
        ),
        $text$
        on v.category_id = s.category_id
        and case
            when s.category_version > 0 then v.version = s.category_version
            else s.hour >= v.in_force_from and s.hour < v.in_force_to
        end
        $text$
    )
    using category_versions, declared;
end
$$;
comment on function afterpush.report_actions is
    'What was offered and what was tapped, of the deliveries and declared sends that a report selects.';
