-- title: Influence
-- description: How the app came to be opened: directly, by an opened notification or an action in the 60 s before;
--   influenced by a notification that was confirmed on the device within the window before and not opened by then; or
--   otherwise. Dismissing a notification doesn't open the app, so it makes no opening direct. Campaign, category and
--   variant, as groups and as filters, are those of the notification that the opening is credited to: the latest one,
--   null for other openings. With baseline=true the report also estimates chance: `expected` counts openings of the
--   day before (of an earlier day for a window of more than one day) that would be influenced if they had occurred at
--   the same time of this day; `influenced_net` is influenced less expected. If the time has more than 100,000
--   deliveries, openings of some devices are read (device_share) and all numbers are estimated from them, unless exact is
--   given.
-- parameter: from time  first hour of the openings; empty for no limit
-- parameter: to time  end of the openings' hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only openings on this platform
-- parameter: verified boolean  count only verified openings, and what verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups, at most two, in the order given
-- parameter: window duration  longest time from a notification to an opening that it influenced; at most a century
-- parameter: baseline boolean  adds the columns expected and influenced_net
-- parameter: exact boolean  read all devices, which can take long
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the start of the opening's hour
-- column: hour time  hour of the opening
-- column: app_version text  version of the app; null if unknown
-- column: app_opened integer events  openings of the app
-- column: direct integer events  the device opened a notification or acted on one in the 60 s before
-- column: influenced integer events  not direct; a notification that was confirmed within the window before was not opened yet
-- column: other integer events  neither
-- column: expected integer events  openings that would count as influenced by chance
-- column: influenced_net integer events  influenced less expected
-- column: verified_share number ratio  share of the openings that are verified; null without openings
-- column: device_share number ratio  share of the devices that the report reads, by a hash of their ids: 0.125, 0.03125
--   and so on; counts are scaled up; no such column if it reads all
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by '' \endif
\if :{?window} \else \set window 12h \endif
\if :{?baseline} \else \set baseline false \endif
\if :{?exact} \else \set exact false \endif
select
    *,
    case when one_in > 1 then ', 1.0::double precision / ' || one_in || ' as device_share' else '' end as sampled
from (
    select
        by_columns,
        by_group,
        by_order,
        starts,
        ends,
        length,
        coalesce(afterpush.report_hour_at_share(:'app', starts, ends, 0.65), starts) as middle,
        case
            when :'exact'::boolean then 1
            else afterpush.report_one_in(:'app', starts, ends, :'verified', 100000)
        end as one_in,
        case when :'baseline'::boolean then ', expected, influenced - expected as influenced_net' else '' end as extra,
        :'by' ~ 'campaign|category|variant' or :'campaign' <> '' or :'category' <> '' or :'variant' <> ''
            as is_credited
    from afterpush.report_by(:'by')
    cross join (
        select
            -- Whole hours, as in all reports.
            coalesce(afterpush.report_hour(:'from', :'tz'), '-infinity') as starts,
            coalesce(afterpush.report_hour(:'to', :'tz'), 'infinity') as ends,
            -- At most a century, so that PostgreSQL's times can hold the result.
            extract(epoch from least((:'window')::interval, interval '36500 days')) * interval '1 second' as length
    ) as selected
) as read \gset
-- In two parts, which can run in parallel. The later part takes longer for its size, because new rows lie anywhere.
with openings as (
    select *
    from afterpush.report_openings(
        :'app', :'starts', :'middle', :'length', :'baseline', :'is_credited', nullif(:'platform', ''), :'verified',
        :'by', :one_in
    )
    union all
    select *
    from afterpush.report_openings(
        :'app', :'middle', :'ends', :'length', :'baseline', :'is_credited', nullif(:'platform', ''), :'verified', :'by',
        :one_in
    )
),
grouped as (
    select
        how,
        :one_in * openings as openings,
        :one_in * verified_openings as verified_openings,
        campaign_id,
        category_id,
        variant,
        platform,
        app_version,
        (hour at time zone :'tz')::date as day,
        hour
    from openings
    where (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
),
counted as (
    select
        :by_columns
        coalesce(sum(openings) filter (where how <> 'expected'), 0)::bigint as app_opened,
        coalesce(sum(openings) filter (where how = 'direct'), 0)::bigint as direct,
        coalesce(sum(openings) filter (where how = 'influenced'), 0)::bigint as influenced,
        coalesce(sum(openings) filter (where how = 'other'), 0)::bigint as other,
        coalesce(sum(openings) filter (where how = 'expected'), 0)::bigint as expected,
        coalesce(sum(verified_openings) filter (where how <> 'expected'), 0)::bigint as verified
    from grouped
    group by :by_group
)
select
    :by_columns app_opened, direct, influenced, other :extra,
    afterpush.rate(verified, app_opened, 1) as verified_share
    :sampled
from counted
where :'by' = ''
   or app_opened > 0
   or expected > 0
order by :by_order;
