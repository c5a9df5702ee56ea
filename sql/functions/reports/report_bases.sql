-- The bases of a report's rates, chosen for each campaign that it selects: as asked for, or with `auto` sent if the
-- sends of the campaign cover at least half of its deliveries, else confirmed if it has confirmations, else none. The
-- first row, without a campaign, is the base of most campaigns; those with another base follow.
--
-- Sends that only devices report (local triggers) decide nothing for other deliveries. They are none of the sends, and
-- a delivery of which nothing else is known is none of the deliveries that these have to cover; with anything else known
-- it is, so that a made-up send takes no delivery away. If all deliveries have a send and none is confirmed, the base is
-- sent, whatever the sends.
--
-- A campaign with declared sends has no other sends. By day or hour (`by_time`) declared sends are no base, so such a
-- campaign has confirmations or none. With `own_sends` only the deliveries' own sends count.
--
-- With `seam`, the deliveries since then decide; earlier ones only for campaigns that have none since.
--
-- Whole days are read by day, those that `from`, `to` or `seam` lies within by the hour; of a version of the app all hours.
-- Declared sends state no version, so there they are no base.
create or replace function afterpush.report_bases(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, base_choice text, seam timestamptz default null, by_time boolean default false,
    own_sends boolean default false, app_version text default null
) returns afterpush.campaign_base[]
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_bases.app);
    starts constant timestamptz := report_bases."from";
    ends constant timestamptz := report_bases."to";
    -- Whether the selection asks for more than rollup_campaign_days knows.
    by_dimension constant boolean :=
        num_nonnulls(
            report_bases.category, report_bases.variant, report_bases.platform, report_bases.app_version
        ) > 0;
    split constant timestamptz[] := afterpush.report_split(starts, ends, array[starts, ends, report_bases.seam]);
    declared text[] := '{}';
    chosen afterpush.campaign_base[];
    most text;
begin
    if this_app is null then
        raise exception 'app: there is no app named %, or this role may not read it',
            coalesce(quote_literal(report_bases.app), 'null') using errcode = 'invalid_parameter_value';
    end if;
    if base_choice <> 'auto' then
        return array[row(null, base_choice)::afterpush.campaign_base];
    end if;
    if not own_sends then
        declared := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    end if;
    chosen := array(
        select row(
            c.campaign_id,
            case
                when c.sends > 0 and c.sends * 2 >= c.deliveries - c.only_locally_sent then 'sent'
                when c.confirmed > 0 then 'confirmed'
                when c.locally_sent > 0 and c.all_sent = c.deliveries then 'sent'
                else 'none'
            end
        )::afterpush.campaign_base
        from (
            select distinct on (campaign_id)
                campaign_id, deliveries, confirmed,
                case when is_declared then declared_sends else sent - local end as sends,
                case when is_declared then 0 else sent end as all_sent,
                case when is_declared then 0 else local end as locally_sent,
                case when is_declared then 0 else only_local end as only_locally_sent
            from (
                select
                    campaign_id, is_later,
                    campaign_id = any (declared) as is_declared,
                    sum(deliveries) as deliveries,
                    sum(sent) as sent,
                    sum(confirmed) as confirmed,
                    sum(local) as local,
                    sum(only_local) as only_local,
                    sum(declared_sends) as declared_sends
                from (
                    select
                        d.campaign_id,
                        coalesce(d.anchor_day >= report_bases.seam, true) as is_later,
                        sum(d.deliveries) as deliveries,
                        sum(d.deliveries_sent) as sent,
                        sum(d.deliveries_confirmed) as confirmed,
                        sum(d.locally_sent) as local,
                        sum(d.only_locally_sent) as only_local,
                        null::bigint as declared_sends
                    from afterpush.rollup_campaign_days as d
                    where not by_dimension
                      and d.app_id = this_app
                      and d.verified = report_bases.verified
                      and (cardinality(split) = 0 or d.anchor_day <> all (split))
                      and (starts is null or d.anchor_day >= starts)
                      and (ends is null or d.anchor_day < ends)
                      and (report_bases.campaign is null or d.campaign_id = report_bases.campaign)
                    group by 1, 2
                    union all
                    select d.*
                    from afterpush.report_base_details(
                        this_app, starts, ends, report_bases.campaign, report_bases.category, report_bases.variant,
                        report_bases.platform, report_bases.verified, report_bases.seam, by_dimension, split, declared,
                        by_time, report_bases.app_version
                    ) as d
                    where by_dimension
                       or cardinality(split) > 0
                       or cardinality(declared) > 0
                ) as s
                group by campaign_id, is_later
                having sum(deliveries) > 0 or sum(declared_sends) is not null
            ) as s
            order by campaign_id, is_later desc
        ) as c
    );
    most := (select c.base from unnest(chosen) as c group by c.base order by count(*) desc, c.base desc limit 1);
    return row(null, coalesce(most, 'none'))::afterpush.campaign_base
        || array(select c::afterpush.campaign_base from unnest(chosen) as c where c.base <> most);
end
$$;
comment on function afterpush.report_bases is
    'The bases of a report''s rates: that of most campaigns, and of each campaign that differs.';
