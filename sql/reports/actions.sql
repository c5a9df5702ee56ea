-- title: Actions
-- description: Conversion of each action, per category, campaign and variant. The denominator of an action's rate is
--   the base of the deliveries whose category version offers it. A declared action has a row even if it was never
--   taken. An action that the delivery's category version does not offer has a row of its own, not declared and
--   without a rate.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only states that verified events show
-- parameter: versions boolean  one row per category version, in the column category_version
-- parameter: base text auto|sent|confirmed  base of the rates; auto takes for each campaign sent if its sends cover
--   half of its deliveries, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- parameter: cluster text device  intervals that take devices as clusters
-- column: category_id text  category; null if unknown
-- column: category_version integer  version of the category; null if unknown
-- column: campaign_id text  campaign; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: action_id text  the action's identifier
-- column: title text  text of its button in the newest version that has it; null if it was never declared
-- column: declared boolean  whether the deliveries' category version offers it
-- column: offered_n integer deliveries  base of deliveries whose category version offers it
-- column: acted integer deliveries  deliveries acted on with it
-- column: total integer events  events of the action, including repeated ones
-- column: conversion number ratio  acted within the base, over offered_n
-- column: conversion_low number ratio  lower bound of its 95 % interval
-- column: conversion_high number ratio  upper bound of its 95 % interval
-- column: p50_seconds number seconds  median time from the confirmation, else the send, to the action; relative error
--   at most 4 %
-- column: suppressed boolean  whether the rate is null because of min_n
-- column: reason text  why the rate is null: no_base, few (offered_n under min_n), uncovered (acted above offered_n)
-- column: design_effect number  with cluster=device, by how much the likeness within devices multiplies the conversion's
--   variance, at least 1
-- column: devices integer  with cluster=device, devices of the deliveries in offered_n; above 10,000 deliveries estimated
--   from a sixteenth of the devices
-- column: deliveries_per_device number  with cluster=device, deliveries in offered_n per device
-- column: base text  what offered_n counts: sent, confirmed or none
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?versions} \else \set versions false \endif
\if :{?base} \else \set base auto \endif
\if :{?min_n} \else \set min_n 30 \endif
\if :{?cluster} \else \set cluster '' \endif
select case when :'versions'::boolean then 'category_version,' else '' end as version_column \gset
with versions as materialized (
    select v.category_id, v.version as category_version, v.offered, v.retired_at
    from afterpush.category_versions as v
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (:'category' = '' or v.category_id = :'category')
),
chosen as materialized (
    select afterpush.report_bases(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'base'
    ) as bases
),
counted as materialized (
    select *
    from afterpush.report_actions(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        :'versions'::boolean
    )
),
-- Actions of the newest versions that no selected delivery was offered.
never_offered as (
    select v.category_id, :version_column action_id
    from (
        select distinct on (v.category_id) v.*
        from versions as v
        where :'campaign' = ''
          and :'variant' = ''
          and :'platform' = ''
        order by v.category_id, v.category_version desc
    ) as v
    cross join unnest(v.offered) as action_id
    where v.retired_at is null
      and not exists (
          select
          from counted as o
          where o.offered
            and o.category_id = v.category_id
            and o.action_id = action_id.action_id
      )
),
titles as (
    select distinct on (d.category_id, d.action_id) d.category_id, d.action_id, d.title
    from afterpush.actions as d
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
    order by d.category_id, d.action_id, d.version desc
),
-- How much each conversion varies between devices.
effects as materialized (
    select category_id, :version_column campaign_id, variant, action_id, true as declared, design_effect
    from afterpush.report_action_effects(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        :'versions'::boolean
    )
    where :'cluster' = 'device'
),
devices as materialized (
    select
        coalesce(category_id, '') as category_id, :version_column coalesce(campaign_id, '') as campaign_id,
        coalesce(variant, '') as variant, action_id, true as declared, devices, deliveries_per_device
    from afterpush.report_devices(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        'category,campaign,variant,action' || case when :'versions'::boolean then ',version' else '' end,
        :'tz'
    )
    where :'cluster' = 'device'
),
listed as (
    select
        category_id, :version_column campaign_id, variant, action_id, offered as declared, offered_n, acted,
        case when offered then acted_base end as acted_base, total, p50_seconds
    from counted
    union all
    select category_id, :version_column '', '', action_id, true, 0, 0, 0, 0, null
    from never_offered
)
select
    nullif(category_id, '') as category_id,
    :version_column
    nullif(campaign_id, '') as campaign_id,
    nullif(variant, '') as variant,
    action_id,
    title,
    declared,
    offered_n,
    acted,
    total,
    afterpush.rate(acted_base, offered_n, :'min_n') as conversion,
    afterpush.rate_low(acted_base, offered_n, :'min_n', coalesce(design_effect, 1)) as conversion_low,
    afterpush.rate_high(acted_base, offered_n, :'min_n', coalesce(design_effect, 1)) as conversion_high,
    p50_seconds,
    afterpush.suppressed(:'min_n', offered_n) as suppressed,
    afterpush.missing_rates(:'min_n', offered_n, array[acted_base], array[offered_n]) as reason,
    case when :'cluster' = 'device' and declared then coalesce(design_effect, 1) end as design_effect,
    case
        when :'cluster' = 'device' and declared
        then coalesce(devices, round(offered_n / deliveries_per_device)::bigint, 0)
    end as devices,
    deliveries_per_device,
    coalesce((select b.base from chosen, unnest(bases) as b where b.campaign_id = listed.campaign_id), base_of_most) as base
from listed
cross join (select coalesce((bases[1]).base, 'none') as base_of_most from chosen) as most
left join titles using (category_id, action_id)
left join effects using (category_id, :version_column campaign_id, variant, action_id, declared)
left join devices using (category_id, :version_column campaign_id, variant, action_id, declared)
order by category_id, :version_column campaign_id, variant, action_id, declared desc;
