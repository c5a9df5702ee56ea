-- Actions, one row for each category, campaign, variant and action, and for whether the deliveries' category version
-- offers it; with `versions` for each version as well. An action that was offered and never taken has a row, too.
-- Unknown names are ''.
--
-- The conversion of an action is `acted_base` / `offered_n`: deliveries of the base that were acted on with it, over
-- the base of deliveries whose category version offers it.
--
-- The statement has subqueries in place of `with`: it is planned for each call, and planning five of them took 0.2 ms,
-- where the report of one campaign takes 2 ms.
create or replace function afterpush.report_actions(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], versions boolean
)
returns table (
    category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean,
    offered_n bigint, acted bigint, acted_base bigint, total bigint, p50_seconds double precision
)
language plpgsql stable
-- Planned for its arguments, so that the statement reads only what these ask for.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_actions.app);
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    -- Declared sends are the base of their campaign, and all its deliveries belong to it.
    declared constant text[] := array(
        select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app
    );
    known_versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    -- Days that are not alike throughout. They are read by the hour; actions on one platform are read by the hour
    -- always.
    split constant timestamptz[] := afterpush.report_split(
        "from", "to",
        array["from", "to"] || (select array_agg(v.in_force_from) from unnest(known_versions) as v where v.version > 1)
    );
    starts timestamptz;
    ends timestamptz;
begin
    select s.starts, s.ends
    into starts, ends
    from afterpush.report_span(this_app, "from", "to", only_campaign, report_actions.verified) as s;
    return query
    select
        category_id, category_version, campaign_id, variant, action_id, offered, offered_n, acted, acted_base, total,
        afterpush.bucket_seconds(bucket)
    from (
        select
            *,
            case
                when several is null then least_p50
                else afterpush.combined_quantile(several, timed, 50, least_p50, greatest_p50)
            end::smallint as bucket
        from (
            select
                category_id, category_version, campaign_id, variant, action_id, offered,
                sum(base_n)::bigint as offered_n,
                sum(deliveries)::bigint as acted,
                sum(deliveries_base)::bigint as acted_base,
                sum(events)::bigint as total,
                -- The median of rows that have the same one needs no search.
                sum(times[cardinality(times)]) as timed,
                min(p50) as least_p50,
                max(p50) as greatest_p50,
                case
                    when min(p50) < max(p50)
                    then array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null)
                end as several
            from (
                -- The actions that were performed.
                select
                    s.category_id,
                    case when report_actions.versions then coalesce(v.version, nullif(s.category_version, 0)) end
                        as category_version,
                    s.campaign_id,
                    s.variant,
                    s.action_id,
                    coalesce(s.action_id = any (v.offered), false) as offered,
                    0 as base_n,
                    s.deliveries,
                    case
                        when coalesce(b.base, base_of_most) = 'sent' and s.campaign_id = any (declared)
                        then s.deliveries
                        else s.deliveries_base
                    end as deliveries_base,
                    s.events,
                    s.times,
                    afterpush.running_totals_quantile(s.times, 50) as p50
                from (
                    -- `times` holds the running totals of deliveries by the time to the action.
                    select
                        d.campaign_id, d.variant, d.category_id, d.category_version, d.action_id, d.anchor_day as hour,
                        d.deliveries,
                        case coalesce(b.base, base_of_most)
                            when 'sent' then d.deliveries_sent
                            when 'confirmed' then d.deliveries_confirmed
                            else 0
                        end as deliveries_base,
                        d.events, d.times
                    from afterpush.rollup_action_days as d
                    left join unnest(bases) as b on b.campaign_id = d.campaign_id
                    where only_platform is null
                      and d.app_id = this_app
                      and d.verified = report_actions.verified
                      and (only_campaign is null or d.campaign_id = only_campaign)
                      and (only_category is null or d.category_id = only_category)
                      and (only_variant is null or d.variant = only_variant)
                      and (starts is null or d.anchor_day >= starts)
                      and (ends is null or d.anchor_day < ends)
                      and d.anchor_day <> all (split)
                    union all
                    select h.*
                    from afterpush.report_action_hours(
                        this_app, starts, ends, only_campaign, only_category, only_variant, only_platform,
                        report_actions.verified, bases, split
                    ) as h
                    where only_platform is not null
                       or cardinality(split) > 0
                ) as s
                left join unnest(bases) as b on b.campaign_id = s.campaign_id
                left join unnest(known_versions) as v
                    on v.category_id = s.category_id
                    and case
                        when s.category_version > 0 then v.version = s.category_version
                        else s.hour >= v.in_force_from and s.hour < v.in_force_to
                    end
                union all
                -- The actions that were offered, with their base.
                select category_id, category_version, campaign_id, variant, action_id, true, base_n, 0, 0, 0, null, null
                from (
                    select
                        s.category_id,
                        case when report_actions.versions then v.version end as category_version,
                        s.campaign_id,
                        s.variant,
                        v.offered,
                        sum(s.base_n)::bigint as base_n
                    from (
                        select
                            s.campaign_id, s.variant, s.category_id, s.category_version, s.anchor_day as hour,
                            case coalesce(b.base, base_of_most)
                                when 'sent'
                                then case when s.campaign_id = any (declared) then 0 else s.deliveries_sent end
                                when 'confirmed' then s.deliveries_confirmed
                                else 0
                            end::bigint as base_n
                        from afterpush.rollup_delivery_days as s
                        left join unnest(bases) as b on b.campaign_id = s.campaign_id
                        where s.app_id = this_app
                          and s.verified = report_actions.verified
                          and (only_campaign is null or s.campaign_id = only_campaign)
                          and (only_category is null or s.category_id = only_category)
                          and (only_variant is null or s.variant = only_variant)
                          and (only_platform is null or s.platform = only_platform)
                          and ("from" is null or s.anchor_day >= "from")
                          and ("to" is null or s.anchor_day < "to")
                          and s.anchor_day <> all (split)
                        union all
                        select h.*
                        from afterpush.report_offering_hours(
                            this_app, "from", "to", only_campaign, only_category, only_variant, only_platform,
                            report_actions.verified, bases, split, declared
                        ) as h
                        where cardinality(split) > 0
                           or cardinality(declared) > 0
                    ) as s
                    join unnest(known_versions) as v
                        on v.category_id = s.category_id
                        and case
                            when s.category_version > 0 then v.version = s.category_version
                            else s.hour >= v.in_force_from and s.hour < v.in_force_to
                        end
                    group by 1, 2, 3, 4, 5
                ) as offering
                cross join unnest(offered) as action_id
                -- Each value is computed once.
                offset 0
            ) as listed
            group by 1, 2, 3, 4, 5, 6
        ) as grouped
        offset 0
    ) as found;
end
$$;
comment on function afterpush.report_actions is
    'What was offered and what was taken, of the deliveries and declared sends that a report selects.';
