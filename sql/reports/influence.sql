-- title: Influence
-- description: How the app came to be opened: directly by a response in the 60 s before, influenced by a notification
--   that was confirmed on the device within the window before and never opened, or otherwise. Groups by campaign,
--   category and variant are those of the notification, the latest if there are several. With baseline=true, what
--   chance alone would count as influenced: opens that have such a notification within the window after them, which
--   can't have caused them.
-- parameter: from time  first opening counted; empty: no bound
-- parameter: to time  first opening not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only verified openings, and what verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups: at most two, in this order
-- parameter: window duration  how long before an opening a notification may have influenced it
-- parameter: baseline boolean  a column more: what chance would count as influenced
-- column: campaign_id text  campaign; null is unknown
-- column: category_id text  category; null is unknown
-- column: variant text  variant of the campaign; null is unknown
-- column: platform text  platform; null is unknown
-- column: day date  local day of the opening
-- column: hour time  hour of the opening
-- column: app_version text  version of the app; null is unknown
-- column: app_opened integer events  openings of the app
-- column: direct integer events  the device responded to a notification in the 60 s before
-- column: influenced integer events  not direct; a confirmed and unopened notification lies within the window before
-- column: other integer events  neither
-- column: expected integer events  openings that would count as influenced by a notification after them
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by '' \endif
\if :{?window} \else \set window 12h \endif
\if :{?baseline} \else \set baseline false \endif
select by_columns, by_group, by_order, case when :'baseline'::boolean then ', expected' else '' end as extra
from afterpush.report_by(:'by') \gset
with openings as materialized (
    select e.app_id, e.device_id, e.occurred_at, e.platform, e.app_version
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and e.kind = 'app_opened'
      and (:'from' = '' or e.occurred_at >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or e.occurred_at < afterpush.report_time(:'to', :'tz'))
      and (:'platform' = '' or e.platform = :'platform')
      and (not :'verified'::boolean or e.verified)
      and e.batch_id not in (select b.batch_id from afterpush.batches as b where b.rolled_up_at is null)
),
classed as (
    select
        o.*,
        r.delivery_id is not null as direct,
        i.delivery_id is not null and r.delivery_id is null as influenced,
        case when r.delivery_id is not null then r.campaign_id else i.campaign_id end as campaign_id,
        case when r.delivery_id is not null then r.category_id else i.category_id end as category_id,
        case when r.delivery_id is not null then r.variant else i.variant end as variant,
        r.delivery_id is null and exists (
            select
            from afterpush.deliveries as d
            where :'baseline'::boolean
              and d.app_id = o.app_id
              and d.device_id = o.device_id
              and case when :'verified'::boolean then d.verified_kinds else d.kinds end & 32 = 0
              and case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end > o.occurred_at
              and case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end
                  <= o.occurred_at + (:'window')::interval
        ) as expected
    from openings as o
    left join lateral (
        select d.delivery_id, d.campaign_id, d.category_id, d.variant
        from afterpush.deliveries as d
        join afterpush.events as e using (delivery_id)
        where d.app_id = o.app_id
          and d.device_id = o.device_id
          and case when :'verified'::boolean then d.verified_kinds else d.kinds end & 480 <> 0
          and e.kind in ('opened', 'action', 'text_input', 'dismissed')
          and e.occurred_at between o.occurred_at - interval '60 s' and o.occurred_at
          and (not :'verified'::boolean or e.verified)
        order by e.occurred_at desc, d.delivery_id
        limit 1
    ) as r on true
    left join lateral (
        select d.delivery_id, d.campaign_id, d.category_id, d.variant
        from afterpush.deliveries as d
        where d.app_id = o.app_id
          and d.device_id = o.device_id
          and case when :'verified'::boolean then d.verified_kinds else d.kinds end & 32 = 0
          and case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end
              between o.occurred_at - (:'window')::interval and o.occurred_at
        order by
            case when :'verified'::boolean then d.verified_confirmed_at else d.confirmed_at end desc, d.delivery_id
        limit 1
    ) as i on true
),
grouped as (
    select
        campaign_id,
        category_id,
        variant,
        platform,
        app_version,
        (occurred_at at time zone :'tz')::date as day,
        date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') as hour,
        direct,
        influenced,
        expected
    from classed
    where (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
),
counted as (
    select
        :by_columns
        count(*) as app_opened,
        count(*) filter (where direct) as direct,
        count(*) filter (where influenced) as influenced,
        count(*) filter (where not direct and not influenced) as other,
        count(*) filter (where expected) as expected
    from grouped
    group by :by_group
)
select :by_columns app_opened, direct, influenced, other :extra
from counted
order by :by_order;
