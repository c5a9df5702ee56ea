-- Devices of the deliveries that a report selects, one row per campaign and variant. The parameters are those of
-- report_device_buckets.
--
-- Returns devices, and deliveries_per_device. Deliveries of erased devices are left out of both.
--
-- If the days of the selection hold more than 10,000 deliveries, only those of a sixteenth of the devices are counted:
-- 8 of the 128 device buckets, which the index deliveries_sampled_devices finds. Then devices is null: the caller
-- divides its number of deliveries by deliveries_per_device, whose relative error is about 4 / sqrt(number of devices)
-- times the coefficient of variation of a device's deliveries: 4 % for 10,000 devices if that is 1.
create or replace function afterpush.report_devices(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_platform text,
    verified boolean, bases afterpush.campaign_base[]
)
returns table (campaign_id text, variant text, devices bigint, deliveries_per_device double precision)
language plpgsql stable
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_devices.app);
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    starts timestamptz := report_devices."from";
    ends timestamptz := report_devices."to";
    is_sampled boolean;
begin
    -- The days of the campaign, as report_span has them, but with `verified` those of its verified deliveries.
    if only_campaign is not null then
        select
            greatest(starts, coalesce(min(d.anchor_day), 'infinity')),
            least(ends, coalesce(max(d.anchor_day), '-infinity') + interval '24 hours')
        into starts, ends
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_devices.verified
          and d.campaign_id = only_campaign;
    end if;
    select coalesce(sum(d.deliveries), 0) > 10000
    into is_sampled
    from afterpush.rollup_delivery_days as d
    where d.app_id = this_app
      and d.verified = report_devices.verified
      and (starts is null or d.anchor_day >= afterpush.day_of(starts))
      and (ends is null or d.anchor_day < ends);
    return query execute format(
        $text$
        select
            campaign_id, variant,
            case when not $9 then count(*) end,
            sum(deliveries)::double precision / count(*)
        from (
            select d.campaign_id, variant, device_id, count(*) as deliveries
            from afterpush.deliveries as d
            left join unnest($5) as b on b.campaign_id = d.campaign_id
            where app_id = $1
              and device_id is not null
              and afterpush.stated(d.campaign_id, campaign_source_rank, $10) is not null
              and variant is not null
              %s
              and ($2 is null or d.campaign_id = $2)
              and ($3 is null or afterpush.stated(category_id, category_source_rank, $10) = $3)
              and ($4 is null or afterpush.stated(platform, platform_source_rank, $10) = $4)
              and case when $10 then verified_kinds else kinds end <> 0
              and not afterpush.is_held_out(kinds)
              and case coalesce(b.base, $11)
                  when 'sent'
                  then d.campaign_id = any ($8) or afterpush.is_sent(case when $10 then verified_kinds else kinds end)
                  when 'confirmed' then afterpush.is_confirmed(case when $10 then verified_kinds else kinds end)
                  else false
              end
              and ($6 is null or afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) >= $6)
              and ($7 is null or afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) < $7)
            group by 1, 2, 3
        ) as d
        group by 1, 2
        $text$,
        -- As a condition of the statement, so that the planner finds the index.
        case when is_sampled then 'and afterpush.device_bucket(delivery_id) < 8' else '' end
    )
    using
        this_app, only_campaign, only_category, only_platform, bases,
        -- An anchor is selected by its hour: the next full hours select the same.
        afterpush.hour_of(starts + interval '3599.999999 s'), afterpush.hour_of(ends + interval '3599.999999 s'),
        declared, is_sampled,
        report_devices.verified, coalesce((bases[1]).base, 'none');
end
$$;
comment on function afterpush.report_devices is
    'Devices of the deliveries that a report selects, by campaign and variant; estimated if they are many.';
