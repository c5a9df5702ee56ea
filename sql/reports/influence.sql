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
-- parameter: window duration  how long before an opening a notification may have influenced it
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
    case when :'baseline'::boolean then ', expected, influenced - expected as influenced_net' else '' end as extra
from afterpush.report_by(:'by') \gset
with asked as (
    select
        length,
        -- Openings and notifications at most a window apart lie in the same bin of that width, or in neighbouring ones.
        greatest(length, interval '1 second') as width,
        -- The same hours of the day, so many days later that the whole window lies after the opening.
        greatest(ceil(extract(epoch from length) / 86400), 1) * interval '24 hours' as later
    from (select extract(epoch from (:'window')::interval) * interval '1 second' as length) as w
),
openings as materialized (
    select
        row_number() over () as opening,
        e.device_id,
        e.occurred_at,
        date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as hour,
        e.platform,
        e.app_version
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and e.kind = 'app_opened'
      -- Whole hours, as everywhere.
      and (:'from' = '' or e.occurred_at >= (select afterpush.report_hour(:'from', :'tz')))
      and (:'to' = '' or e.occurred_at < (select afterpush.report_hour(:'to', :'tz')))
      and (:'platform' = '' or e.platform = :'platform')
      and (not :'verified'::boolean or e.verified)
      -- What is not in the rollups yet is in no report.
      and e.batch_id not in (select b.batch_id from afterpush.batches as b where b.rolled_up_at is null)
),
responses as (
    select e.device_id, e.occurred_at, e.delivery_id
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and e.kind in ('opened', 'action', 'text_input', 'dismissed')
      and e.occurred_at >= (select min(occurred_at) - interval '60 s' from openings)
      and e.occurred_at <= (select max(occurred_at) from openings)
      and (not :'verified'::boolean or e.verified)
      and e.batch_id not in (select b.batch_id from afterpush.batches as b where b.rolled_up_at is null)
),
unopened as not materialized (
    select
        d.delivery_id, d.device_id, d.notification_id, d.campaign_id, d.category_id, d.variant,
        case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end as confirmed_at
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and case when :'verified'::boolean then d.verified_kinds else d.kinds end & 32 = 0
      and case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end
          >= (select min(o.occurred_at) - min(asked.length) from openings as o cross join asked)
      and case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end
          <= (
              select max(o.occurred_at) + case when :'baseline'::boolean then max(asked.later) else interval '0' end
              from openings as o
              cross join asked
          )
),
-- Of several, the latest counts; of those, the first by notification. (Joining by bins as well keeps a device with many
-- openings and notifications from costing their product; `offset 0` keeps the bins on their side of the join.)
direct as (
    select distinct on (o.opening) o.opening, d.campaign_id, d.category_id, d.variant
    from (
        select
            opening,
            device_id,
            occurred_at,
            date_bin('60 s', occurred_at, timestamptz '2000-01-01 00:00Z') - back as bin
        from openings
        cross join (values (interval '0'), (interval '60 s')) as b (back)
        offset 0
    ) as o
    join responses as r
        on r.device_id = o.device_id
        and date_bin('60 s', r.occurred_at, timestamptz '2000-01-01 00:00Z') = o.bin
        and r.occurred_at between o.occurred_at - interval '60 s' and o.occurred_at
    left join afterpush.deliveries as d
        on d.delivery_id = r.delivery_id
        -- Not looked up where nobody asks.
        and (:'by' ~ 'campaign|category|variant' or :'campaign' <> '' or :'category' <> '' or :'variant' <> '')
    order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
),
influenced as (
    select distinct on (o.opening) o.opening, u.campaign_id, u.category_id, u.variant
    from (
        select
            opening,
            device_id,
            occurred_at,
            occurred_at - length as since,
            date_bin(width, occurred_at, timestamptz '2000-01-01 00:00Z') - back * width as bin
        from openings
        cross join asked
        cross join (values (0), (1)) as b (back)
        offset 0
    ) as o
    join unopened as u
        on u.device_id = o.device_id
        and date_bin((select width from asked), u.confirmed_at, timestamptz '2000-01-01 00:00Z') = o.bin
        and u.confirmed_at between o.since and o.occurred_at
    order by o.opening, u.confirmed_at desc, u.notification_id, u.delivery_id
),
expected as (
    select distinct on (o.opening) o.opening, u.campaign_id, u.category_id, u.variant
    from (
        select
            opening,
            device_id,
            occurred_at + later as until,
            occurred_at + later - length as since,
            date_bin(width, occurred_at + later, timestamptz '2000-01-01 00:00Z') - back * width as bin
        from openings
        cross join asked
        cross join (values (0), (1)) as b (back)
        where :'baseline'::boolean
          and opening not in (select opening from direct)
        offset 0
    ) as o
    join unopened as u
        on u.device_id = o.device_id
        and date_bin((select width from asked), u.confirmed_at, timestamptz '2000-01-01 00:00Z') = o.bin
        and u.confirmed_at between o.since and o.until
    order by o.opening, u.confirmed_at desc, u.notification_id, u.delivery_id
),
credited as (
    select
        o.*,
        case
            when d.opening is not null then 'direct'
            when i.opening is not null then 'influenced'
            else 'other'
        end as how,
        case when d.opening is not null then d.campaign_id else i.campaign_id end as campaign_id,
        case when d.opening is not null then d.category_id else i.category_id end as category_id,
        case when d.opening is not null then d.variant else i.variant end as variant
    from openings as o
    left join direct as d using (opening)
    left join influenced as i using (opening)
    union all
    select o.*, 'expected', e.campaign_id, e.category_id, e.variant
    from openings as o
    join expected as e using (opening)
),
grouped as (
    select
        how,
        campaign_id,
        category_id,
        variant,
        platform,
        app_version,
        (hour at time zone :'tz')::date as day,
        hour
    from credited
    where (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
),
counted as (
    select
        :by_columns
        count(*) filter (where how <> 'expected') as app_opened,
        count(*) filter (where how = 'direct') as direct,
        count(*) filter (where how = 'influenced') as influenced,
        count(*) filter (where how = 'other') as other,
        count(*) filter (where how = 'expected') as expected
    from grouped
    group by :by_group
)
select :by_columns app_opened, direct, influenced, other :extra
from counted
order by :by_order;
