-- title: Undeclared names
-- description: Categories, versions, actions, campaigns and variants that events name and nobody has declared. They
--   are counted all the same, and belong to their declaration, history included, once it is made.
-- parameter: from time  first anchor hour counted; empty: no bound
-- parameter: to time  first anchor hour not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- column: kind text  campaign, variant, category, category_version or action
-- column: name text  the name that is not declared; of a version its number
-- column: parent text  the campaign of a variant, the category of a version or an action; null is unknown
-- column: deliveries integer deliveries  deliveries that it is known of; of an action, those answered with it
-- column: first_hour time  the first anchor hour of these
-- column: last_hour time  the last anchor hour of these
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
with named as (
    select
        r.app_id, r.campaign_id, r.variant, r.category_id, r.category_version,
        sum(r.deliveries)::bigint as deliveries, min(r.anchor_hour) as first_hour, max(r.anchor_hour) as last_hour
    from afterpush.rollup_deliveries as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and not r.verified
      and (:'from' = '' or r.anchor_hour >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or r.anchor_hour < afterpush.report_time(:'to', :'tz'))
    group by 1, 2, 3, 4, 5
),
tapped as (
    select
        r.app_id, r.category_id, r.action_id,
        sum(r.deliveries)::bigint as deliveries, min(r.anchor_hour) as first_hour, max(r.anchor_hour) as last_hour
    from afterpush.rollup_actions as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and not r.verified
      and (:'from' = '' or r.anchor_hour >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or r.anchor_hour < afterpush.report_time(:'to', :'tz'))
    group by 1, 2, 3
),
missing as (
    select 1 as place, 'campaign' as kind, campaign_id as name, null as parent, deliveries, first_hour, last_hour
    from named as n
    where campaign_id <> ''
      and not exists (
          select from afterpush.campaigns as c where c.app_id = n.app_id and c.campaign_id = n.campaign_id
      )
    union all
    select 2, 'variant', variant, campaign_id, deliveries, first_hour, last_hour
    from named as n
    where variant <> ''
      and not exists (
          select
          from afterpush.campaign_variants as v
          where v.app_id = n.app_id
            and v.campaign_id = n.campaign_id
            and v.variant = n.variant
      )
    union all
    select 3, 'category', category_id, null, deliveries, first_hour, last_hour
    from named as n
    where category_id <> ''
      and not exists (
          select from afterpush.categories as c where c.app_id = n.app_id and c.category_id = n.category_id
      )
    union all
    select 4, 'category_version', category_version::text, category_id, deliveries, first_hour, last_hour
    from named as n
    where category_version > 0
      and not exists (
          select
          from afterpush.categories as c
          where c.app_id = n.app_id
            and c.category_id = n.category_id
            and c.version = n.category_version
      )
    union all
    select 5, 'action', action_id, nullif(category_id, ''), deliveries, first_hour, last_hour
    from tapped as t
    where not exists (
        select
        from afterpush.actions as c
        where c.app_id = t.app_id
          and c.category_id = t.category_id
          and c.action_id = t.action_id
    )
)
select
    kind,
    name,
    parent,
    sum(deliveries)::bigint as deliveries,
    min(first_hour) as first_hour,
    max(last_hour) as last_hour
from missing
group by place, kind, name, parent
order by place, deliveries desc, parent collate "C" nulls last, name collate "C";
