-- How the app came to be opened, a row for each group that is asked for: `direct`, `influenced`, `expected` (with
-- `baseline`), and `other`, which is what remains; and how many of them are verified. Names that are not asked for
-- are null. Each opening stands by itself, so a report may ask for parts of its time, each by a process of its own: the
-- cost tells the planner that this is worth it.
--
-- one_in: of how many devices one is read; 1 for all. If it is 128 or more, the index events_devices_one_in_128 finds their
-- events, so its condition is written out.
create or replace function afterpush.report_openings(
    app text, "from" timestamptz, "to" timestamptz, "window" interval, baseline boolean, credited boolean,
    only_platform text, verified boolean, by text, one_in integer
)
returns table (
    how text, campaign_id text, category_id text, variant text, platform text, app_version text, hour timestamptz,
    openings bigint, verified_openings bigint
)
language plpgsql stable parallel safe
cost 100000000
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_openings.app);
    -- Chance is measured at the same time of a later day, which lies in the selected time and before as_of.
    later constant interval :=
        greatest(ceil(extract(epoch from report_openings."window") / 86400), 1) * interval '24 hours';
    -- Times are joined by the bin that holds them.
    bin_width constant interval := 8 * greatest(report_openings."window", interval '1 hour');
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := afterpush.report_waiting_batches();
    starts constant timestamptz := report_openings."from";
    -- With a baseline, openings are read that long before.
    earlier constant interval := case when baseline then later else interval '0' end;
    number_end constant integer := afterpush.device_number_end(one_in);
    now_at constant timestamptz := afterpush.as_of(report_openings.app);
begin
    return query
    with openings as materialized (
        select row_number() over () as opening, e.device_id, e.occurred_at, e.platform, e.app_version, e.verified
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind = 'app_opened'
          and e.occurred_at >= starts - earlier
          and e.occurred_at < report_openings."to"
          and (only_platform is null or e.platform = only_platform)
          and (not report_openings.verified or e.verified)
          and e.batch_id <> all (waiting)
          and (one_in = 1 or (hashtextextended(e.device_id, 0) & 1048575) < number_end)
          and (one_in < 128 or (hashtextextended(e.device_id, 0) & 1040384) = 0)
    ),
    responses as (
        select
            e.device_id, e.occurred_at, e.delivery_id,
            date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as bin
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind in ('opened', 'action', 'text_input')
          and e.occurred_at >= starts - earlier - interval '60 s'
          and e.occurred_at < report_openings."to"
          and (not report_openings.verified or e.verified)
          and e.batch_id <> all (waiting)
          and (one_in = 1 or (hashtextextended(e.device_id, 0) & 1048575) < number_end)
          and (one_in < 128 or (hashtextextended(e.device_id, 0) & 1040384) = 0)
    ),
    -- When deliveries were opened. Those whose opening is not found, because it lies before the selected time or was
    -- purged, count as opened all the time.
    opened as (
        select e.delivery_id, min(e.occurred_at) as at
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind in ('opened', 'action', 'text_input')
          and e.kind = 'opened'
          and e.occurred_at >= starts - report_openings."window"
          and (not report_openings.verified or e.verified)
          and e.batch_id <> all (waiting)
          and (one_in = 1 or (hashtextextended(e.device_id, 0) & 1048575) < number_end)
          and (one_in < 128 or (hashtextextended(e.device_id, 0) & 1040384) = 0)
        group by e.delivery_id
    ),
    confirmed as not materialized (
        select
            c.device_id, c.at, date_bin(bin_width, c.at, timestamptz '2000-01-01 00:00Z') as bin,
            case
                when afterpush.is_unopened(c.state_kinds) then 'infinity'
                else coalesce(o.at, '-infinity')
            end as opened_at,
            -- Read only where they are asked for.
            case when credited then c.delivery_id end as delivery_id,
            case when credited then c.notification_id end as notification_id,
            case
                when credited then afterpush.stated(c.campaign_id, c.campaign_source_rank, report_openings.verified)
            end as campaign_id,
            case
                when credited then afterpush.stated(c.category_id, c.category_source_rank, report_openings.verified)
            end as category_id,
            case
                when credited then afterpush.stated(c.variant, c.campaign_source_rank, report_openings.verified)
            end as variant
        from (
            select
                *,
                case when report_openings.verified then verified_kinds else kinds end as state_kinds,
                case when report_openings.verified then verified_confirmed_at else confirmed_at end as at
            from afterpush.deliveries
        ) as c
        left join opened as o on o.delivery_id = c.delivery_id
        where c.app_id = this_app
          and not afterpush.is_held_out(c.kinds)
          and (one_in = 1 or c.device_number < number_end)
          and c.at >= report_openings."from" - report_openings."window"
          and c.at < report_openings."to"
    ),
    direct as materialized (
        select distinct on (o.opening)
            o.*,
            afterpush.stated(d.campaign_id, d.campaign_source_rank, report_openings.verified) as campaign_id,
            afterpush.stated(d.category_id, d.category_source_rank, report_openings.verified) as category_id,
            afterpush.stated(d.variant, d.campaign_source_rank, report_openings.verified) as variant
        from (
            select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') as bin
            from openings
            union all
            select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') - interval '1 hour'
            from openings
            where occurred_at - interval '60 s' < date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z')
        ) as o
        join responses as r
            on r.device_id = o.device_id
            and r.bin = o.bin
            and r.occurred_at between o.occurred_at - interval '60 s' and o.occurred_at
        left join afterpush.deliveries as d
            on d.delivery_id = r.delivery_id
            and credited
        order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
    ),
    -- When the others happened, and the time at which chance is measured for them.
    indirect as not materialized (
        select o.*, h.how, o.occurred_at + h.later as until
        from openings as o
        cross join (values ('influenced', interval '0'), ('expected', later)) as h (how, later)
        where o.opening not in (select opening from direct)
          and o.occurred_at + h.later >= starts
          and (h.how = 'influenced' or baseline and o.occurred_at + h.later < least(report_openings."to", now_at))
    ),
    notified as materialized (
        select distinct on (o.how, o.opening) o.*, c.campaign_id, c.category_id, c.variant
        from (
            select *, date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z') as bin
            from indirect
            union all
            select *, date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z') - bin_width
            from indirect
            where until - report_openings."window" < date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z')
        ) as o
        join confirmed as c
            on c.device_id = o.device_id
            and c.bin = o.bin
            and c.at between o.until - report_openings."window" and o.until
            -- Not opened yet.
            and c.opened_at > o.until
        order by o.how, o.opening, c.at desc, c.notification_id, c.delivery_id
    ),
    credited_openings as (
        select
            'direct' as how, 1 as openings, campaign_id, category_id, variant, platform, app_version, occurred_at,
            verified as is_verified
        from direct
        where occurred_at >= starts
        union all
        select how, 1, campaign_id, category_id, variant, platform, app_version, until, verified
        from notified
        union all
        select 'other', openings, null, null, null, platform, app_version, occurred_at, is_verified
        from (
            select 1 as openings, platform, app_version, occurred_at, verified as is_verified
            from openings
            where occurred_at >= starts
            union all
            select -1, platform, app_version, occurred_at, verified
            from direct
            where occurred_at >= starts
            union all
            select -1, platform, app_version, occurred_at, verified from notified where how = 'influenced'
        ) as o
    )
    select
        how, campaign_id, category_id, variant,
        case when report_openings.by ~ 'platform' then platform end,
        case when report_openings.by ~ 'app_version' then app_version end,
        case
            when report_openings.by ~ 'day|hour' then date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z')
        end,
        sum(openings),
        coalesce(sum(openings) filter (where is_verified), 0)
    from credited_openings
    group by 1, 2, 3, 4, 5, 6, 7;
end
$$;
comment on function afterpush.report_openings is 'Openings of the app by how they came about.';
