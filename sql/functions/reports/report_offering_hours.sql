-- The part of report_actions' denominators that rollup_delivery_days does not have: deliveries of the days in `split`,
-- by the hour, and declared sends. If the base of a campaign with declared sends is `sent`, those are its base, and
-- `base_n` of its deliveries is 0.
--
-- A function of its own, so that report_actions does not plan these statements when neither is needed.
create or replace function afterpush.report_offering_hours(
    app_id integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], split timestamptz[],
    declared text[]
)
returns table (
    campaign_id text, variant text, category_id text, category_version integer, hour timestamptz, base_n bigint
)
language plpgsql stable
-- Seldom more: those of a few days.
rows 100
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    split_hours constant timestamptz[] := array(
        select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
    );
    base_of_most constant text := coalesce((bases[1]).base, 'none');
begin
    if cardinality(split) > 0 then
        return query
        select
            s.campaign_id, s.variant, s.category_id, s.category_version, s.anchor_hour,
            case coalesce(b.base, base_of_most)
                when 'sent' then case when s.is_sent and s.campaign_id <> all (declared) then s.deliveries else 0 end
                when 'confirmed' then case when s.is_confirmed then s.deliveries else 0 end
                else 0
            end::bigint
        from afterpush.rollup_deliveries as s
        left join unnest(bases) as b on b.campaign_id = s.campaign_id
        where s.app_id = report_offering_hours.app_id
          and s.verified = report_offering_hours.verified
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and ("from" is null or s.anchor_hour >= "from")
          and ("to" is null or s.anchor_hour < "to")
          and s.anchor_hour = any (split_hours);
    end if;
    if cardinality(declared) > 0 then
        return query
        select
            s.campaign_id, coalesce(s.variant, ''), coalesce(s.category_id, ''), coalesce(s.category_version, 0),
            afterpush.hour_of(s.sent_at),
            case when coalesce(b.base, base_of_most) = 'sent' then s.count else 0 end
        from afterpush.sends as s
        left join unnest(bases) as b on b.campaign_id = s.campaign_id
        where s.app_id = report_offering_hours.app_id
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and ("from" is null or afterpush.hour_of(s.sent_at) >= "from")
          and ("to" is null or afterpush.hour_of(s.sent_at) < "to");
    end if;
end
$$;
comment on function afterpush.report_offering_hours is
    'The base of what was offered, by category version: deliveries read by the hour, and declared sends.';
