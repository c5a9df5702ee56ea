-- Design effects of the conversions that report_actions has: one row for each category, campaign, variant and action
-- that the deliveries' category version offers; with `versions` for each version as well. The other parameters are
-- those of report_device_buckets, and what it says of days and declared sends applies here too.
create or replace function afterpush.report_action_effects(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], versions boolean
)
returns table (
    category_id text, category_version integer, campaign_id text, variant text, action_id text,
    design_effect double precision
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_action_effects.app);
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    base_of_most constant text := coalesce((bases[1]).base, 'none');
begin
    return query
    select
        category_id, category_version, campaign_id, variant, action_id,
        afterpush.packed_design_effect(sum(d), sum(d) filter (where action_id = any (actions)))
    from (
        select
            s.category_id,
            case when report_action_effects.versions then v.version end as category_version,
            s.campaign_id, s.variant, s.actions, v.offered, s.device_buckets as d
        from afterpush.device_bucket_counts as s
        join afterpush.category_versions as v
            on v.app_id = this_app
            and v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.anchor_day >= v.in_force_from and s.anchor_day < v.in_force_to
            end
        left join unnest(bases) as b on b.campaign_id = s.campaign_id
        where s.app_id = this_app
          and s.modes & case when report_action_effects.verified then 2 else 1 end <> 0
          and case coalesce(b.base, base_of_most)
              when 'sent' then s.campaign_id = any (declared) or afterpush.is_sent(s.kinds)
              when 'confirmed' then afterpush.is_confirmed(s.kinds)
              else false
          end
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and (
              report_action_effects."from" is null
              or s.anchor_day >= afterpush.day_of(report_action_effects."from")
          )
          and (report_action_effects."to" is null or s.anchor_day < report_action_effects."to")
    ) as s
    cross join unnest(offered) as action_id
    group by 1, 2, 3, 4, 5;
end
$$;
comment on function afterpush.report_action_effects is
    'Design effects of the conversions of actions, by category, campaign and variant.';
