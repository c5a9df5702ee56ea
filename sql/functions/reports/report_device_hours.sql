-- Deliveries by weekday and hour of the device's own clock: the start of the anchor's hour, moved by the offset from UTC
-- that events of the device state. weekday and hour are null for deliveries of devices that state none, and of erased
-- devices.
--
-- The offset of a device in an hour is the one that it stated last before the end of the hour, otherwise the one that it
-- stated first after it; neither more than 30 days away. Whatever kind the event is, it places the device, and not the
-- delivery: otherwise only those who respond would have a local time where deliveries are not confirmed. What verified
-- events state comes first; of two offsets at the same time, the smaller.
--
-- Offsets are only in events, and no index leads to them, so this reads the events of the app.
--
-- offsets: deliveries of which an offset is known; verified_offsets: those of them of which verified events state it.
--
-- "from", "to": whole hours of anchors, the end excluded; null for no limit. declared: the campaigns whose declared sends
-- are no base by hour.
create or replace function afterpush.report_device_hours(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], declared text[]
)
returns table (
    weekday integer, hour integer, base_n bigint, responded bigint, responded_base bigint, has_sent boolean,
    has_confirmed boolean, offsets bigint, verified_offsets bigint
)
language plpgsql stable
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_device_hours.app);
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := afterpush.report_waiting_batches();
    base_of_most constant text := coalesce((bases[1]).base, 'none');
begin
    return query
    with selected as materialized (
        select
            d.device_id,
            afterpush.hour_of(d.anchor_at) as anchor_hour,
            count(*) as deliveries,
            count(*) filter (where d.in_base) as base_n,
            count(*) filter (where d.responded) as responded,
            count(*) filter (where d.in_base and d.responded) as responded_base,
            bool_or(d.base = 'sent') as has_sent,
            bool_or(d.base = 'confirmed') as has_confirmed
        from (
            select
                d.device_id,
                d.anchor_at,
                coalesce(b.base, base_of_most) as base,
                case coalesce(b.base, base_of_most)
                    when 'sent' then
                        afterpush.is_sent(d.state_kinds) and coalesce(d.campaign_id, '') <> all (declared)
                    when 'confirmed' then afterpush.is_confirmed(d.state_kinds)
                    else false
                end as in_base,
                afterpush.has_responded(d.state_kinds) as responded
            from (
                select
                    app_id, device_id, kinds,
                    afterpush.stated(campaign_id, campaign_source_rank, report_device_hours.verified) as campaign_id,
                    afterpush.stated(category_id, category_source_rank, report_device_hours.verified) as category_id,
                    afterpush.stated(variant, campaign_source_rank, report_device_hours.verified) as variant,
                    afterpush.stated(platform, platform_source_rank, report_device_hours.verified) as platform,
                    case when report_device_hours.verified then verified_kinds else kinds end as state_kinds,
                    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as anchor_at
                from afterpush.deliveries
            ) as d
            left join unnest(bases) as b on b.campaign_id = coalesce(d.campaign_id, '')
            where d.app_id = this_app
              and d.state_kinds <> 0
              and not afterpush.is_held_out(d.kinds)
              and (report_device_hours."from" is null or d.anchor_at >= report_device_hours."from")
              and (report_device_hours."to" is null or d.anchor_at < report_device_hours."to")
              and (only_campaign is null or d.campaign_id = only_campaign)
              and (only_category is null or d.category_id = only_category)
              and (only_variant is null or d.variant = only_variant)
              and (only_platform is null or d.platform = only_platform)
        ) as d
        group by 1, 2
    ),
    offsets as (
        select e.device_id, e.verified, e.occurred_at, min(e.utc_offset_minutes) as minutes
        from afterpush.events as e
        where e.app_id = this_app
          and e.utc_offset_minutes is not null
          and (e.verified or not report_device_hours.verified)
          and e.batch_id <> all (waiting)
          and e.occurred_at >= (select min(s.anchor_hour) from selected as s) - interval '719 hours'
          and e.occurred_at <= (select max(s.anchor_hour) from selected as s) + interval '721 hours'
        group by 1, 2, 3
    ),
    -- Offsets are numbered by device, and each hour has the number of those before its end.
    numbered as materialized (
        select
            t.device_id, t.verified, t.occurred_at, t.minutes, t.anchor_hour,
            count(t.minutes) over (
                partition by t.device_id, t.verified order by t.occurred_at, t.anchor_hour
                rows between unbounded preceding and current row
            ) as place
        from (
            select o.device_id, o.verified, o.occurred_at, o.minutes, null::timestamptz as anchor_hour
            from offsets as o
            union all
            -- Sorted before an offset at the same time, which is not before the end of the hour.
            select s.device_id, v.verified, s.anchor_hour + interval '1 hour', null, s.anchor_hour
            from selected as s
            cross join (values (true), (false)) as v (verified)
            where s.device_id is not null
        ) as t
    ),
    placed as (
        select
            h.device_id, h.anchor_hour,
            -- Verified evidence first.
            (
                array_agg(coalesce(before.minutes, after.minutes) order by h.verified desc)
                filter (where coalesce(before.minutes, after.minutes) is not null)
            )[1] as minutes,
            bool_or(h.verified) filter (where coalesce(before.minutes, after.minutes) is not null) as is_verified
        from numbered as h
        left join numbered as before
            on before.device_id = h.device_id
            and before.verified = h.verified
            and before.place = h.place
            and before.minutes is not null
            and before.occurred_at >= h.occurred_at - interval '720 hours'
        left join numbered as after
            on after.device_id = h.device_id
            and after.verified = h.verified
            and after.place = h.place + 1
            and after.minutes is not null
            and after.occurred_at <= h.occurred_at + interval '720 hours'
        where h.anchor_hour is not null
        group by 1, 2
    )
    select
        extract(isodow from l.local)::integer,
        extract(hour from l.local)::integer,
        sum(s.base_n)::bigint,
        sum(s.responded)::bigint,
        sum(s.responded_base)::bigint,
        bool_or(s.has_sent),
        bool_or(s.has_confirmed),
        coalesce(sum(s.deliveries) filter (where p.minutes is not null), 0)::bigint,
        coalesce(sum(s.deliveries) filter (where p.is_verified), 0)::bigint
    from selected as s
    left join placed as p using (device_id, anchor_hour)
    cross join lateral (
        select (s.anchor_hour at time zone 'UTC') + make_interval(mins => p.minutes) as local
    ) as l
    group by 1, 2;
end
$$;
comment on function afterpush.report_device_hours is
    'Deliveries by weekday and hour of the device''s own clock, with their base and responses.';
