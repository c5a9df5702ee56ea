-- title: Influence
-- description: How the app came to be opened: directly, by a response in the 60 s before; influenced by a notification
--   that was confirmed on the device within the window before and never opened; or otherwise. Campaign, category and
--   variant, as groups and as filters, are those of the notification that the opening is credited to: the latest one,
--   null for other openings. With baseline=true there is what chance alone would make of it: openings that would count
--   as influenced if they had come a day later (more days for a window of more than one), when the notification that
--   they are then credited to was still to come; and influenced less that.
-- parameter: from time  first hour of openings counted; empty: no bound
-- parameter: to time  first hour of openings not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only openings on this platform
-- parameter: verified boolean  count only verified openings, and what verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups: at most two, in this order
-- parameter: window duration  how long before an opening a notification may have influenced it; a century at most
-- parameter: baseline boolean  two columns more: what chance would count as influenced, and influenced less that
-- column: campaign_id text  campaign; null is unknown
-- column: category_id text  category; null is unknown
-- column: variant text  variant of the campaign; null is unknown
-- column: platform text  platform; null is unknown
-- column: day date  local day of the start of the opening's hour
-- column: hour time  hour of the opening
-- column: app_version text  version of the app; null is unknown
-- column: app_opened integer events  openings of the app
-- column: direct integer events  the device responded to a notification in the 60 s before
-- column: influenced integer events  not direct; a confirmed and unopened notification lies within the window before
-- column: other integer events  neither
-- column: expected integer events  openings that would count as influenced by chance
-- column: influenced_net integer events  influenced less expected
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
select
    by_columns,
    by_group,
    by_order,
    this_app,
    starts,
    ends,
    length,
    later,
    starts - interval '60 s' as responses_from,
    starts - length as confirmed_from,
    ends + case when :'baseline'::boolean then later else interval '0' end as confirmed_to,
    8 * greatest(length, interval '1 hour') as width,
    case when :'baseline'::boolean then ', expected, influenced - expected as influenced_net' else '' end as extra,
    -- What is not in the rollups yet is in no report.
    array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null) as waiting,
    :'by' ~ 'campaign|category|variant' or :'campaign' <> '' or :'category' <> '' or :'variant' <> '' as is_credited
from afterpush.report_by(:'by')
cross join (
    select
        coalesce((select app_id from afterpush.apps where name = :'app'), 0) as this_app,
        -- Whole hours, as everywhere.
        coalesce(afterpush.report_hour(:'from', :'tz'), '-infinity') as starts,
        coalesce(afterpush.report_hour(:'to', :'tz'), 'infinity') as ends,
        -- Longer than a century is as long as that, which PostgreSQL's times still reach.
        extract(epoch from least((:'window')::interval, interval '36500 days')) * interval '1 second' as length
) as selected
-- The same hours of the day, so many days later that the whole window lies after the opening.
cross join lateral (select greatest(ceil(extract(epoch from length) / 86400), 1) * interval '24 hours' as later) as l \gset
with openings as materialized (
    select row_number() over () as opening, e.device_id, e.occurred_at, e.platform, e.app_version
    from afterpush.events as e
    where e.app_id = :'this_app'
      and e.kind = 'app_opened'
      and e.occurred_at >= :'starts'
      and e.occurred_at < :'ends'
      and (:'platform' = '' or e.platform = :'platform')
      and (not :'verified'::boolean or e.verified)
      and e.batch_id <> all (:'waiting'::bigint[])
),
responses as (
    select
        e.device_id, e.occurred_at, e.delivery_id,
        date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as bin
    from afterpush.events as e
    where e.app_id = :'this_app'
      and e.kind in ('opened', 'action', 'text_input', 'dismissed')
      and e.occurred_at >= :'responses_from'
      and e.occurred_at < :'ends'
      and (not :'verified'::boolean or e.verified)
      and e.batch_id <> all (:'waiting'::bigint[])
),
unopened as not materialized (
    select
        c.device_id, c.at, date_bin(:'width', c.at, timestamptz '2000-01-01 00:00Z') as bin,
        -- Not read where nobody asks.
        case when :'is_credited'::boolean then c.delivery_id end as delivery_id,
        case when :'is_credited'::boolean then c.notification_id end as notification_id,
        case when :'is_credited'::boolean then c.campaign_id end as campaign_id,
        case when :'is_credited'::boolean then c.category_id end as category_id,
        case when :'is_credited'::boolean then c.variant end as variant
    from (
        select
            *,
            case when :'verified'::boolean then verified_kinds else kinds end as told,
            case when :'verified'::boolean then verified_confirmed_at else confirmed_at end as at
        from afterpush.deliveries
    ) as c
    where c.app_id = :'this_app'
      -- Not opened. (Of `= 0` the planner would expect a row in two hundred.)
      and c.told & 32 < 1
      and c.at >= :'confirmed_from'
      and c.at < :'confirmed_to'
),
-- Of several, the latest counts; of those, the first by notification. (Joining by bins as well keeps a device with many
-- openings and notifications from costing their product: whatever lies near the beginning of one looks at that before.)
direct as materialized (
    select distinct on (o.opening) o.*, d.campaign_id, d.category_id, d.variant
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
        and :'is_credited'::boolean
    order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
),
-- When the others happened, and when they would have by chance.
indirect as not materialized (
    select o.*, h.how, o.occurred_at + h.later as until
    from openings as o
    cross join (values ('influenced', interval '0'), ('expected', :'later')) as h (how, later)
    where o.opening not in (select opening from direct)
      and (h.how = 'influenced' or :'baseline'::boolean)
),
notified as materialized (
    select distinct on (o.how, o.opening) o.*, u.campaign_id, u.category_id, u.variant
    from (
        select *, date_bin(:'width', until, timestamptz '2000-01-01 00:00Z') as bin
        from indirect
        union all
        select *, date_bin(:'width', until, timestamptz '2000-01-01 00:00Z') - :'width'::interval
        from indirect
        where until - :'length'::interval < date_bin(:'width', until, timestamptz '2000-01-01 00:00Z')
    ) as o
    join unopened as u
        on u.device_id = o.device_id
        and u.bin = o.bin
        and u.at between o.until - :'length'::interval and o.until
    order by o.how, o.opening, u.at desc, u.notification_id, u.delivery_id
),
-- Other openings are those that are left when these are taken from all.
credited as (
    select 'direct' as how, 1 as openings, campaign_id, category_id, variant, platform, app_version, occurred_at
    from direct
    union all
    select how, 1, campaign_id, category_id, variant, platform, app_version, occurred_at
    from notified
    union all
    select 'other', openings, null, null, null, platform, app_version, occurred_at
    from (
        select 1 as openings, platform, app_version, occurred_at from openings
        union all
        select -1, platform, app_version, occurred_at from direct
        union all
        select -1, platform, app_version, occurred_at from notified where how = 'influenced'
    ) as o
    where :'campaign' = ''
      and :'category' = ''
      and :'variant' = ''
),
grouped as (
    select
        how,
        openings,
        campaign_id,
        category_id,
        variant,
        platform,
        app_version,
        (date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') at time zone :'tz')::date as day,
        date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') as hour
    from credited
    where (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
),
counted as (
    select
        :by_columns
        coalesce(sum(openings) filter (where how <> 'expected'), 0) as app_opened,
        count(*) filter (where how = 'direct') as direct,
        count(*) filter (where how = 'influenced') as influenced,
        coalesce(sum(openings) filter (where how = 'other'), 0) as other,
        count(*) filter (where how = 'expected') as expected
    from grouped
    group by :by_group
)
select :by_columns app_opened, direct, influenced, other :extra
from counted
where :'by' = ''
   or app_opened > 0
   or expected > 0
order by :by_order;
