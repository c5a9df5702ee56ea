-- Deliveries by device bucket that a report selects, one row per group: the numerators and denominators of the rates as
-- report_counts has them, but packed (packed_buckets.sql), for packed_design_effect. The parameters are those of
-- report_counts; `by` may name campaign, category, variant, platform and day. With `totals`, one row about all
-- campaigns comes from the totals: that is faster, but reply_n and dismiss_n are then all deliveries of the base,
-- replied and dismissed all that did, and closed_n and no_response mean nothing.
--
-- Sums by device bucket exist for whole UTC days. So these are the days that the selection touches, goals and category
-- versions are those of the day's beginning, and a day is closed once its last hour is. A design effect is a ratio of
-- variances, which this hardly changes; the rates themselves are counted exactly, by report_counts.
--
-- The sends of a campaign with declared sends have no devices. All its deliveries stand for them, but not by day, where
-- they are no base.
--
-- Totals don't know the campaigns of deliveries without actions. They count like those of most campaigns; what other
-- campaigns have of them (`apart`) is taken out, and counted by itself.
create or replace function afterpush.report_device_buckets(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], by text, totals boolean default false
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date,
    sent numeric, confirmed numeric, base_n numeric, reply_n numeric, dismiss_n numeric, closed_n numeric,
    delivered_sent numeric, confirmed_sent numeric, opened numeric, acted numeric, converted numeric, replied numeric,
    dismissed numeric, read numeric, responded numeric, no_response numeric, observable_n numeric
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_device_buckets.by, ''), ','), '{}');
    by_time constant boolean := 'day' = any (keys);
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_device_buckets.app);
    -- The base of most campaigns.
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    is_total constant boolean := totals
        and keys = '{}'
        and only_campaign is null and only_category is null and only_variant is null and only_platform is null;
    last_closed constant timestamptz := afterpush.as_of(report_device_buckets.app) - interval '1 hour';
    first_day constant timestamptz := afterpush.day_of(report_device_buckets."from");
    terms constant afterpush.campaign_terms[] := afterpush.report_terms(this_app, only_campaign, last_closed, bases);
    apart constant text[] :=
        array(select t.campaign_id from unnest(terms) as t where is_total and (t.declared or t.base is not null));
    versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    sealed constant afterpush.sealed_goals[] :=
        array(select g from afterpush.sealed_goals as g where g.app_id = this_app);
begin
    if keys && array['hour', 'app_version'] then
        raise exception 'cluster: deliveries are not counted by device within hours and app versions'
            using errcode = 'invalid_parameter_value';
    end if;
    return query
    select
        g.campaign_id, g.category_id, g.variant, g.platform, g.day,
        sum(d) filter (where is_sent),
        sum(d) filter (where is_confirmed),
        sum(d) filter (where in_base),
        sum(d) filter (where in_base and offers_text),
        sum(d) filter (where in_base and is_observable and not is_replaced),
        sum(d) filter (where in_base and is_closed and not is_replaced),
        sum(d) filter (where is_sent and is_delivered),
        sum(d) filter (where is_sent and is_confirmed),
        sum(d) filter (where in_base and is_opened),
        sum(d) filter (where in_base and is_acted),
        sum(d) filter (where in_base and is_converted),
        sum(d) filter (where in_base and is_replied and offers_text),
        sum(d) filter (where in_base and is_dismissed and is_observable),
        sum(d) filter (where in_base and is_read),
        sum(d) filter (where in_base and is_responded),
        sum(d) filter (where in_base and is_closed and not is_responded and not is_replaced and not is_refused),
        sum(d) filter (where in_base and is_observable)
    from (
        -- What only the kinds say is found out here, of few rows, and not of each stored one.
        select
            campaign_id, category_id, variant, platform, day, d, is_sent, offers_text, is_observable, is_closed,
            is_acted, is_converted,
            case base when 'sent' then is_sent when 'confirmed' then afterpush.is_confirmed(kinds) else false end
                as in_base,
            afterpush.is_confirmed(kinds) as is_confirmed,
            afterpush.is_delivered(kinds) or is_acted as is_delivered,
            afterpush.is_opened(kinds) as is_opened,
            afterpush.has_replied(kinds) as is_replied,
            afterpush.is_dismissed(kinds) as is_dismissed,
            afterpush.is_read(kinds) as is_read,
            afterpush.has_responded(kinds) or is_acted as is_responded,
            afterpush.is_replaced(kinds) and not is_acted as is_replaced,
            -- As in report_counts.
            base = 'sent' and not is_declared and afterpush.has_failed(kinds) as is_refused
        from (
            -- Rows that count alike are added once: adding packed numbers takes long, and most columns need each row.
            select
                campaign_id, category_id, variant, platform, day, kinds, is_acted, is_converted, offers_text,
                is_observable, is_closed, is_declared, base, sum(d) as d,
                case when is_declared then not by_time else afterpush.is_sent(kinds) end as is_sent
            from (
                select
                    case when 'campaign' = any (keys) then nullif(s.campaign_id, '') end as campaign_id,
                    case when 'category' = any (keys) then nullif(s.category_id, '') end as category_id,
                    case when 'variant' = any (keys) then nullif(s.variant, '') end as variant,
                    case when 'platform' = any (keys) then nullif(s.platform, '') end as platform,
                    case when by_time then (s.anchor_day at time zone 'UTC')::date end as day,
                    s.kinds,
                    s.device_buckets as d,
                    coalesce(c.declared, false) as is_declared,
                    coalesce(c.base, base_of_most) as base,
                    is_total or coalesce(v.offers_text, false) as offers_text,
                    case
                        when is_total or s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as is_observable,
                    not is_total
                        and case when c.declared then c.last_hour else s.anchor_day + interval '23 hours' end
                            <= coalesce(c.closed_until, last_closed - interval '72 hours') as is_closed,
                    s.actions <> '{}' as is_acted,
                    afterpush.has_converted_event(s.kinds) or s.actions <> '{}' and (
                        s.actions && coalesce(g.goal_actions, c.goal_actions, '{}')
                        or coalesce(s.actions && v.goals, false)
                        or cardinality(coalesce(g.goal_actions, c.goal_actions, '{}')) = 0
                        and coalesce(cardinality(v.goals), 0) = 0
                        and not s.actions <@ coalesce(v.destructive, '{}')
                    ) as is_converted
                from (
                    select *, false as is_summed
                    from afterpush.device_bucket_counts
                    where not is_total
                    union all
                    select *, actions = '{}'
                    from afterpush.device_bucket_totals
                    where is_total
                    union all
                    select
                        d.app_id, d.modes, d.anchor_day, d.campaign_id, '', '', 0, '', d.kinds, '{}',
                        case when is_summed then - d.device_buckets else d.device_buckets end,
                        is_summed
                    from (
                        select
                            app_id, modes, min(anchor_day) as anchor_day, campaign_id, kinds,
                            sum(device_buckets) as device_buckets
                        from afterpush.device_bucket_counts as d
                        where cardinality(apart) > 0
                          and d.app_id = this_app
                          and d.campaign_id = any (apart)
                          and d.actions = '{}'
                          and (first_day is null or d.anchor_day >= first_day)
                          and (report_device_buckets."to" is null or d.anchor_day < report_device_buckets."to")
                        group by d.app_id, d.modes, d.campaign_id, d.kinds
                    ) as d
                    cross join (values (true), (false)) as taken_out (is_summed)
                ) as s
                left join unnest(versions) as v
                    on v.category_id = s.category_id
                    and case
                        when s.category_version > 0 then v.version = s.category_version
                        else s.anchor_day >= v.in_force_from and s.anchor_day < v.in_force_to
                    end
                left join unnest(terms) as c on c.campaign_id = s.campaign_id and not s.is_summed
                left join unnest(sealed) as g
                    on g.campaign_id = s.campaign_id
                    and s.anchor_day >= g.sealed_from
                    and s.anchor_day < g.sealed_before
                where s.app_id = this_app
                  and s.modes & case when report_device_buckets.verified then 2 else 1 end <> 0
                  and (only_campaign is null or s.campaign_id = only_campaign)
                  and (only_category is null or s.category_id = only_category)
                  and (only_variant is null or s.variant = only_variant)
                  and (only_platform is null or s.platform = only_platform)
                  and (first_day is null or s.anchor_day >= first_day)
                  and (report_device_buckets."to" is null or s.anchor_day < report_device_buckets."to")
                -- Each value is computed once, however many others use it.
                offset 0
            ) as s
            group by
                campaign_id, category_id, variant, platform, day, kinds, is_acted, is_converted, offers_text,
                is_observable, is_closed, is_declared, base
            offset 0
        ) as s
        offset 0
    ) as g
    group by 1, 2, 3, 4, 5;
end
$$;
comment on function afterpush.report_device_buckets is
    'Deliveries by device bucket that a report selects, by group: numerators and denominators of its rates.';
