-- Devices of the deliveries that a report selects, one row per group: those of the base, and those of the sends. `by`
-- names the groups: campaign, category, variant, platform, day, action (each that the delivery's category version offers)
-- and, with action, version (of the category). The other parameters are those of report_device_buckets.
--
-- Returns devices, and deliveries per device. Deliveries of erased devices are left out of both.
--
-- If the days of the selection hold more than 10,000 deliveries, only those of some devices are read. Then devices is
-- null: the caller divides its number of deliveries by deliveries_per_device, whose relative error is about
-- 1 / sqrt(number of devices read) times the coefficient of variation of a device's deliveries. These are
-- - a sixteenth of the devices, 8 of the 128 device buckets, which the index deliveries_sampled_devices finds; the error
--   is 4 % for 10,000 devices if the coefficient is 1;
-- - with `totals`, for a row about everything, one in 8, 32, 128, 512, 2,048 or 8,192 devices, by their numbers
--   (index deliveries_device_number): as many as have about 1,000 of the deliveries or more, but at most about 6,000
--   of the app's of all time, which takes some milliseconds.
-- With `verified`, only verified deliveries decide how many devices are read, so that made-up ones change no number,
-- although they are read, too.
create or replace function afterpush.report_devices(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], by text, tz text,
    totals boolean default false
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, category_version integer,
    action_id text, devices bigint, deliveries_per_device double precision, sent_devices bigint,
    deliveries_per_sent_device double precision
)
language plpgsql stable
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
-- A bitmap scan combines the indexes of devices and of anchors; see below for when there is nothing to combine.
set enable_indexscan = off
-- As it is by default; switched off below where an index finds few of the deliveries.
set enable_seqscan = on
as $$
#variable_conflict use_column
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_devices.by, ''), ','), '{}');
    by_time constant boolean := 'day' = any (keys);
    by_campaign constant boolean := 'campaign' = any (keys);
    bases_of constant text := $text$left join unnest($6) as b on b.campaign_id = coalesce(%s, '')$text$;
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_devices.app);
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    starts timestamptz := report_devices."from";
    ends timestamptz := report_devices."to";
    deliveries bigint;
    is_sampled boolean;
    -- Devices with numbers below this are read, of 1,048,576.
    numbers_end bigint;
    shown text;
    grouped text;
begin
    select s.starts, s.ends
    into starts, ends
    from afterpush.report_span(this_app, starts, ends, only_campaign, report_devices.verified) as s;
    select coalesce(sum(d.deliveries), 0)
    into deliveries
    from afterpush.rollup_campaign_days as d
    where d.app_id = this_app
      and d.verified = report_devices.verified
      and (starts is null or d.anchor_day >= afterpush.day_of(starts))
      and (ends is null or d.anchor_day < ends);
    is_sampled := deliveries > 10000;
    if is_sampled and totals and only_campaign is null then
        select coalesce(
            -- The fewest that are enough, and else the most that are not too many.
            min(l.below) filter (where l.below * deliveries / 1048576 >= 1000 and not is_too_many),
            max(l.below) filter (where not is_too_many),
            min(l.below)
        )
        into numbers_end
        from (
            select coalesce(sum(d.deliveries), 0) as deliveries
            from afterpush.rollup_campaign_days as d
            where d.app_id = this_app
              and d.verified = report_devices.verified
        ) as of_all_time
        cross join unnest('{128,512,2048,8192,32768,131072}'::bigint[]) as l (below)
        cross join lateral (
            select l.below * of_all_time.deliveries / 1048576 > 6000 as is_too_many
        ) as c;
    end if;
    if numbers_end is not null then
        -- Without statistics, which a new column has not, the planner does not know how few these devices are.
        perform set_config('enable_seqscan', 'off', true);
    end if;
    -- The index of some devices is in the order of these groups, so that reading in its order saves sorting or hashing.
    if is_sampled and numbers_end is null and starts is null and ends is null and keys = array['campaign', 'variant'] then
        perform set_config('enable_indexscan', 'on', true);
    end if;
    select
        string_agg(case when word = any (keys) then key else 'null::' || type end || ' as ' || name, ', ' order by place),
        coalesce(string_agg(key || ', ', '' order by place) filter (where word = any (keys)), '')
    into shown, grouped
    from (
        values
            (1, 'campaign', 'text', 'd.stated_campaign', 'campaign_id'),
            (2, 'category', 'text', 'd.stated_category', 'category_id'),
            (3, 'variant', 'text', 'd.stated_variant', 'variant'),
            (4, 'platform', 'text', 'd.stated_platform', 'platform'),
            (5, 'day', 'date', format('(d.hour at time zone %L)::date', report_devices.tz), 'day'),
            (6, 'version', 'integer', 'v.version', 'category_version'),
            (7, 'action', 'text', 'offered_id', 'action_id')
    ) as k (place, word, type, key, name);
    return query execute format(
        $text$
        select
            campaign_id, category_id, variant, platform, day, category_version, action_id,
            case when not $10 then count(*) filter (where based > 0) end,
            sum(based)::double precision / nullif(count(*) filter (where based > 0), 0),
            case when not $10 then count(*) filter (where sent > 0) end,
            sum(sent)::double precision / nullif(count(*) filter (where sent > 0), 0)
        from (
            -- Where campaigns are a group, the base is that of the group, and is looked up once for each.
            select d.*, %6$s as based
            from (
                select
                    %1$s,
                    device_id,
                    count(*) filter (where is_sent) as sent,
                    count(*) filter (where %5$s) as counted
                from (
                    select
                        *,
                        case
                            when stated_campaign = any ($9) then not $13
                            else afterpush.is_sent(counted_kinds)
                        end as is_sent
                    from (
                        select
                            device_id,
                            afterpush.stated(campaign_id, campaign_source_rank, $11) as stated_campaign,
                            afterpush.stated(variant, campaign_source_rank, $11) as stated_variant,
                            afterpush.stated(category_id, category_source_rank, $11) as stated_category,
                            case when category_source_rank <= 3 or not $11 then coalesce(category_version, 0) else 0 end
                                as stated_version,
                            afterpush.stated(platform, platform_source_rank, $11) as stated_platform,
                            afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) as hour,
                            case when $11 then verified_kinds else kinds end as counted_kinds
                        from afterpush.deliveries
                        where app_id = $1
                          and device_id is not null
                          %2$s
                          -- For the index; what verified events state is the delivery's campaign, or nothing.
                          and ($2 is null or campaign_id = $2)
                          and not afterpush.is_held_out(kinds)
                          and ($7 is null or %9$s >= $7)
                          and ($8 is null or %9$s < $8)
                    ) as d
                    where counted_kinds <> 0
                      and ($2 is null or stated_campaign = $2)
                      and ($3 is null or stated_category = $3)
                      and ($4 is null or stated_variant = $4)
                      and ($5 is null or stated_platform = $5)
                ) as d
                %7$s
                %3$s
                group by %4$s device_id
            ) as d
            %8$s
        ) as d
        group by campaign_id, category_id, variant, platform, day, category_version, action_id
        $text$,
        shown,
        -- As conditions of the statement, so that the planner finds the indexes.
        case
            when numbers_end is not null then format('and device_number < %s', numbers_end)
            when is_sampled then 'and afterpush.device_bucket(delivery_id) < 8'
            else ''
        end,
        case
            when 'action' = any (keys)
            then $text$
                join afterpush.category_versions as v
                    on v.app_id = $1
                    and v.category_id = stated_category
                    and case
                        when stated_version > 0 then v.version = stated_version
                        else d.hour >= v.in_force_from and d.hour < v.in_force_to
                    end
                cross join unnest(v.offered) as offered_id
                $text$
            else ''
        end,
        grouped,
        case when by_campaign then 'afterpush.is_confirmed(counted_kinds)' else $text$
            case coalesce(b.base, $12)
                when 'sent' then is_sent
                when 'confirmed' then afterpush.is_confirmed(counted_kinds)
                else false
            end
            $text$
        end,
        case
            when by_campaign
            then $text$case coalesce(b.base, $12) when 'sent' then sent when 'confirmed' then counted else 0 end$text$
            else 'counted'
        end,
        case when not by_campaign then format(bases_of, 'stated_campaign') end,
        case when by_campaign then format(bases_of, 'd.campaign_id') end,
        -- Of so few devices all deliveries are read: the index of anchors, which finds pages and not rows, would make it
        -- read all rows of these pages. It has no index of hours.
        case
            when numbers_end is null then 'afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at)'
            else 'afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at)'
        end
    )
    using
        this_app, only_campaign, only_category, only_variant, only_platform, bases,
        -- An anchor is selected by its hour: the next full hours select the same.
        afterpush.hour_of(starts + interval '3599.999999 s'), afterpush.hour_of(ends + interval '3599.999999 s'),
        declared, is_sampled, report_devices.verified, coalesce((bases[1]).base, 'none'), by_time;
end
$$;
comment on function afterpush.report_devices is
    'Devices of the deliveries that a report selects, by group; estimated if they are many.';
