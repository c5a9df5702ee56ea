-- Whether a report can read the deliveries that it selects instead of their rollups: its app has at most so many in the
-- days that it touches, and none that it selects has been purged. Purging deletes whole anchor hours, the oldest first, of
-- those that are sealed, so the first hour tells. With `only_verified`, deliveries with verified events are counted alone.
create or replace function afterpush.report_keeps_deliveries(
    of_app integer, starts timestamptz, ends timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, at_most bigint
)
returns boolean
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
    first_hour timestamptz;
begin
    -- Those of other campaigns are read past.
    if (
        select sum(d.deliveries)
        from afterpush.rollup_campaign_days as d
        where d.app_id = of_app
          and d.verified = only_verified
          and (starts is null or d.anchor_day >= afterpush.day_of(starts))
          and (ends is null or d.anchor_day < ends)
    ) > at_most then
        return false;
    end if;
    select min(d.anchor_day)
    into first_hour
    from afterpush.rollup_delivery_days as d
    where d.app_id = of_app
      and d.verified = only_verified
      and (only_campaign is null or d.campaign_id = only_campaign)
      and (only_category is null or d.category_id = only_category)
      and (only_variant is null or d.variant = only_variant)
      and (only_platform is null or d.platform = only_platform)
      and (starts is null or d.anchor_day >= afterpush.day_of(starts))
      and (ends is null or d.anchor_day < ends);
    select min(r.anchor_hour)
    into first_hour
    from afterpush.rollup_deliveries as r
    where r.app_id = of_app
      and r.verified = only_verified
      and (only_campaign is null or r.campaign_id = only_campaign)
      and r.anchor_hour >= greatest(first_hour, starts)
      and r.anchor_hour < first_hour + interval '24 hours';
    if first_hour is null or first_hour >= (select w.sealed_before from afterpush.rollup_worker as w) then
        return true;
    end if;
    return (
        select sum(r.deliveries)
        from afterpush.rollup_deliveries as r
        where r.app_id = of_app
          and r.verified = only_verified
          and (only_campaign is null or r.campaign_id = only_campaign)
          and r.anchor_hour = first_hour
    ) <= (
        select count(*)
        from afterpush.deliveries as d
        where d.app_id = of_app
          and not afterpush.is_held_out(d.kinds)
          and (not only_verified or d.verified_kinds <> 0)
          and (
              only_campaign is null
              or afterpush.stated(d.campaign_id, d.campaign_source_rank, only_verified) = only_campaign
          )
          and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= first_hour
          and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              < first_hour + interval '1 hour'
    );
end
$$;
comment on function afterpush.report_keeps_deliveries is
    'Whether the deliveries that a report selects are all stored, and few enough to be read one by one.';
