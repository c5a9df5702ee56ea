-- Deliveries by how many other notifications their device had in the seven days before, from anchor to anchor: a row
-- for each such number, for each set of kinds that matter to rates, for whether the delivery is dismiss-observable, and
-- for the base of its campaign.
-- Every notification of a device counts that did not fail, whether or not it is selected. Nothing is kept from one call
-- to the next, so a report may ask for parts of its time, each by a process of its own: the cost tells the planner that
-- this is worth it.
create or replace function afterpush.report_recent_deliveries(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[]
)
returns table (recent bigint, kinds integer, dismiss_observable boolean, base text, deliveries bigint)
language plpgsql stable parallel safe
cost 100000000
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_recent_deliveries.app);
    -- Category versions with customDismissAction. They are looked up once, and not for each delivery: by category and
    -- version, categories that always have it, and those that have it for a while, with these times.
    observable_versions constant text[] := array(
        select v.category_id || ' ' || v.version
        from afterpush.category_versions as v
        where v.app_id = this_app
          and v.dismiss_observable
    );
    always_observable constant text[] := array(
        select v.category_id
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_and(v.dismiss_observable)
    );
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    sometimes_observable text[];
    observable_times tstzmultirange[];
begin
    select array_agg(c.category_id), array_agg(c.times)
    into sometimes_observable, observable_times
    from (
        select
            v.category_id,
            range_agg(tstzrange(v.in_force_from, v.in_force_to))
                filter (where v.dismiss_observable and v.in_force_from < v.in_force_to) as times
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_or(v.dismiss_observable) and not bool_and(v.dismiss_observable)
    ) as c;
    return query
    select h.recent, h.kinds, h.dismiss_observable, h.base, count(*)
    from (
        select
            is_selected, kinds, dismiss_observable, base,
            count(*) filter (where not has_failed) over (
                partition by device_hash, device_hash_2
                order by anchor_at
                range between interval '168 hours' preceding and interval '1 microsecond' preceding
            ) as recent
        from (
            select
                -- 128 bits stand for a device: they are sorted faster than its name, which may be long.
                hashtextextended(d.device_id, 0) as device_hash,
                hashtextextended(d.device_id, 1) as device_hash_2,
                d.anchor_at,
                afterpush.base_and_response_kinds(d.kinds) as kinds,
                afterpush.has_failed(d.kinds) as has_failed,
                coalesce(b.base, base_of_most) as base,
                coalesce(
                    d.anchor_at >= coalesce(report_recent_deliveries."from", '-infinity')
                    and (only_campaign is null or d.campaign_id = only_campaign)
                    and (only_category is null or d.category_id = only_category)
                    and (only_variant is null or d.variant = only_variant)
                    and (only_platform is null or d.platform = only_platform),
                    false
                ) as is_selected,
                case
                    when d.platform in ('android', 'web') then true
                    when d.platform is distinct from 'ios' or d.category_id is null then false
                    when d.category_version > 0
                    then d.category_id || ' ' || d.category_version = any (observable_versions)
                    when d.category_id = any (always_observable) then true
                    else coalesce(
                        d.anchor_at <@ observable_times[array_position(sometimes_observable, d.category_id)], false
                    )
                end as dismiss_observable
            from (
                select
                    app_id, device_id,
                    afterpush.stated(campaign_id, campaign_source_rank, report_recent_deliveries.verified)
                        as campaign_id,
                    afterpush.stated(category_id, category_source_rank, report_recent_deliveries.verified)
                        as category_id,
                    category_version,
                    afterpush.is_held_out(kinds) as is_held_out,
                    afterpush.stated(variant, campaign_source_rank, report_recent_deliveries.verified) as variant,
                    afterpush.stated(platform, platform_source_rank, report_recent_deliveries.verified) as platform,
                    case when report_recent_deliveries.verified then verified_kinds else kinds end as kinds,
                    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as anchor_at
                from afterpush.deliveries
            ) as d
            left join unnest(bases) as b on b.campaign_id = coalesce(d.campaign_id, '')
            where d.app_id = this_app
              and d.device_id is not null
              and d.kinds <> 0
              and not d.is_held_out
              and (
                  report_recent_deliveries."from" is null
                  or d.anchor_at >= report_recent_deliveries."from" - interval '168 hours'
              )
              and (report_recent_deliveries."to" is null or d.anchor_at < report_recent_deliveries."to")
            -- Sorts these, and not what they are made of.
            offset 0
        ) as d
    ) as h
    where h.is_selected
    group by 1, 2, 3, 4;
end
$$;
comment on function afterpush.report_recent_deliveries is
    'Deliveries by how many notifications their device had in the seven days before.';
