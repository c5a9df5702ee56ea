-- The base of a report's rates: as asked for, or with `auto` sent if the selection has sends, else confirmed if it has
-- confirmations, else none. A campaign with declared sends has no other sends; by day or hour (`by_time`) declared sends
-- are no base. Sends that only devices report (local triggers) decide nothing for other deliveries: they make the base
-- sent only if all deliveries have one and none is confirmed. Whole days are read by day, those that `from` or `to` lies
-- within by the hour.
create or replace function afterpush.report_base(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, base_choice text, seam timestamptz default null,
    by_time boolean default false
) returns text
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_base.app);
    starts constant timestamptz := greatest(report_base."from", report_base.seam);
    ends constant timestamptz := report_base."to";
    split constant timestamptz[] := afterpush.report_split(starts, ends, array[starts, ends]);
    hours timestamptz[] := '{}';
    declared text[];
begin
    if this_app is null then
        raise exception 'app: there is no app named %, or this role may not read it',
            coalesce(quote_literal(report_base.app), 'null') using errcode = 'invalid_parameter_value';
    end if;
    if base_choice <> 'auto' then
        return base_choice;
    end if;
    declared := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    if not by_time and cardinality(declared) > 0 and exists (
        select
        from afterpush.declared_sends as s
        where s.app_id = this_app
          and (starts is null or s.hour >= starts)
          and (ends is null or s.hour < ends)
          and (report_base.campaign is null or s.campaign_id = report_base.campaign)
          and (report_base.category is null or s.category_id = report_base.category)
          and (report_base.variant is null or s.variant = report_base.variant)
          and (report_base.platform is null or s.platform = report_base.platform)
    ) then
        return 'sent';
    end if;
    if exists (
        select
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_day <> all (split)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.deliveries_sent > d.locally_sent
          and d.campaign_id <> all (declared)
    ) then
        return 'sent';
    end if;
    if cardinality(split) > 0 then
        hours := array(
            select h
            from unnest(split) as d
            cross join generate_series(d, d + interval '23 hours', interval '1 hour') as h
            where (starts is null or h >= starts)
              and (ends is null or h < ends)
        );
        if exists (
            select
            from afterpush.rollup_deliveries as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_hour = any (hours)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
              and d.is_sent
              and d.deliveries > d.locally_sent
              and d.campaign_id <> all (declared)
        ) then
            return 'sent';
        end if;
    end if;
    if exists (
        select
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_day <> all (split)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.deliveries_confirmed > 0
    ) or exists (
        select
        from afterpush.rollup_deliveries as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_hour = any (hours)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.is_confirmed
          and d.deliveries > 0
    ) then
        return 'confirmed';
    end if;
    return (
        select case when sum(d.deliveries) = sum(d.locally_sent) then 'sent' else 'none' end
        from (
            select
                d.deliveries,
                case when d.campaign_id <> all (declared) then d.locally_sent else 0 end as locally_sent
            from afterpush.rollup_delivery_days as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_day <> all (split)
              and (starts is null or d.anchor_day >= starts)
              and (ends is null or d.anchor_day < ends)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
            union all
            select d.deliveries, case when d.campaign_id <> all (declared) then d.locally_sent else 0 end
            from afterpush.rollup_deliveries as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_hour = any (hours)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
        ) as d
    );
end
$$;
comment on function afterpush.report_base is 'The base of a report''s rates: sent, confirmed or none.';
