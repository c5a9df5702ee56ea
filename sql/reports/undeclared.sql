-- title: Undeclared
-- description: Campaigns, variants, categories, versions and actions that events name and that are not declared. Once
--   such a name is declared, the declaration covers its history too. Names past their limit are not stored, so they are
--   not listed; the report health counts them.
-- parameter: from time  first hour of the events; empty for no limit
-- parameter: to time  end of the events' hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of dates in from and to
-- column: kind text  campaign, variant, category, category_version or action
-- column: name text  the undeclared name; for a version its number
-- column: parent text  the campaign of a variant, the category of a version or an action; null if unknown
-- column: events integer events  events that name it
-- column: first_at time  hour in which the first of them occurred
-- column: last_at time  hour in which the last of them occurred
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
select
    from_hour, to_hour, unsealed_from,
    -- Compiling the statement takes longer than running it.
    set_config('jit', 'off', false) as jit
from afterpush.report_bounds(
    :'app', afterpush.report_time(:'from', :'tz'), afterpush.report_time(:'to', :'tz')
) \gset
with this_app as materialized (
    select app_id
    from afterpush.apps
    where name = :'app'
),
name_sets as materialized (
    select
        nullif(campaign_id, '') as campaign_id, nullif(variant, '') as variant, nullif(category_id, '') as category_id,
        nullif(category_version, 0) as category_version, nullif(action_id, '') as action_id,
        event_hour < :'unsealed_from'::timestamptz as is_sealed,
        sum(events) as events, min(event_hour) as first_at, max(event_hour) as last_at
    from afterpush.rollup_names
    where app_id = (select app_id from this_app)
      and event_hour >= :'from_hour'::timestamptz
      and event_hour < :'to_hour'::timestamptz
    group by 1, 2, 3, 4, 5, 6
),
-- Actions that state no category count under that of their delivery, which may change, so their events are read. Those of
-- sealed hours may be gone: they count without a category.
uncategorised as (
    select
        d.category_id, e.action_identifier as action_id, count(*) as events,
        min(afterpush.hour_of(e.occurred_at)) as first_at, max(afterpush.hour_of(e.occurred_at)) as last_at
    from afterpush.events as e
    left join afterpush.deliveries as d using (delivery_id)
    where e.app_id = (select app_id from this_app)
      and e.kind in ('action', 'text_input')
      and e.occurred_at >= :'unsealed_from'::timestamptz
      and e.occurred_at < :'to_hour'::timestamptz
      and e.category_id is null
      and e.action_identifier <> '(other)'
      and e.batch_id <> all ((select afterpush.report_waiting_batches())::bigint[])
      and exists (select from name_sets where action_id is not null and category_id is null)
    group by d.category_id, e.action_identifier
),
named as (
    select 'campaign' as kind, null::text as parent, campaign_id as name, events, first_at, last_at
    from name_sets
    where campaign_id is not null
    union all
    select 'variant', campaign_id, variant, events, first_at, last_at
    from name_sets
    where campaign_id is not null
      and variant is not null
    union all
    select 'category', null, category_id, events, first_at, last_at
    from name_sets
    where category_id is not null
    union all
    select 'category_version', category_id, category_version::text, events, first_at, last_at
    from name_sets
    where category_id is not null
      and category_version is not null
    union all
    select 'action', category_id, action_id, events, first_at, last_at
    from name_sets
    where action_id is not null
      and (category_id is not null or is_sealed)
    union all
    select 'action', category_id, action_id, events, first_at, last_at
    from uncategorised
),
summed as (
    select kind, parent, name, sum(events)::bigint as events, min(first_at) as first_at, max(last_at) as last_at
    from named
    group by kind, parent, name
)
select s.kind, s.name, s.parent, s.events, s.first_at, s.last_at
from summed as s
cross join this_app as a
where case s.kind
    when 'campaign' then not exists (
        select from afterpush.campaigns as c where c.app_id = a.app_id and c.campaign_id = s.name
    )
    when 'variant' then not exists (
        select from afterpush.campaign_variants as v
        where v.app_id = a.app_id and v.campaign_id = s.parent and v.variant = s.name
    )
    when 'category' then not exists (
        select from afterpush.categories as c where c.app_id = a.app_id and c.category_id = s.name
    )
    when 'category_version' then not exists (
        select from afterpush.categories as c
        where c.app_id = a.app_id and c.category_id = s.parent and c.version::text = s.name
    )
    else not exists (
        select from afterpush.actions as d
        where d.app_id = a.app_id and (s.parent is null or d.category_id = s.parent) and d.action_id = s.name
    )
end
order by
    array_position(array['campaign', 'variant', 'category', 'category_version', 'action'], s.kind),
    s.events desc, s.parent collate "C" nulls last, s.name collate "C";
