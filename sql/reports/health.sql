-- title: Data health
-- description: Whether the numbers can be trusted: confirmation coverage by app version and system, clocks, late and
--   repeated events, contradictions, what is verified, how far behind the rollups are and which days are final. A row
--   is flagged where someone should look. Events that wait in a collector's spool are not in the database: see
--   afterpush_spool_events in /metrics.
-- parameter: from time  first event counted; empty: no bound
-- parameter: to time  first event not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: platform text  only this platform
-- parameter: min_n integer 1..  a rate over fewer deliveries than these is left out
-- column: section text  coverage, clock, lateness, verification, repetition, contradiction, rollups or finality
-- column: item text  what of it
-- column: platform text  platform; null is all
-- column: value number  the item's value
-- column: unit text  ratio, seconds, events, deliveries or batches
-- column: n integer  events or deliveries that it was found among; null where that says nothing
-- column: flag boolean  whether someone should look at it
-- column: detail text  in words
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?platform} \else \set platform '' \endif
\if :{?min_n} \else \set min_n 30 \endif
with picked as materialized (
    select e.*, b.started_at as stored_at
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    join afterpush.batches as b using (batch_id)
    where a.name = :'app'
      and b.rolled_up_at is not null
      and (:'from' = '' or e.occurred_at >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or e.occurred_at < afterpush.report_time(:'to', :'tz'))
      and (:'platform' = '' or e.platform = :'platform')
),
-- Only a device that was heard of tells its versions, so coverage by version is over the deliveries seen on a device.
versions as (
    select
        item, platform, count(*) as n, count(*) filter (where confirmed) as confirmed
    from (
        select 'app ' || app_version as item, platform, delivery_id, bool_or(kind = 'delivered') as confirmed
        from picked
        where kind > 'failed' and kind < 'token_registered' and kind not in ('converted', 'replaced')
          and app_version is not null
        group by app_version, platform, delivery_id
        union all
        select 'system ' || split_part(os_version, '.', 1), platform, delivery_id, bool_or(kind = 'delivered')
        from picked
        where kind > 'failed' and kind < 'token_registered' and kind not in ('converted', 'replaced')
          and os_version is not null
        group by split_part(os_version, '.', 1), platform, delivery_id
    ) as seen
    group by item, platform
),
compared as (
    select
        *,
        sum(n) over others as other_n,
        sum(confirmed) over others as other_confirmed
    from versions
    window others as (
        partition by platform, split_part(item, ' ', 1)
        order by item
        rows between unbounded preceding and unbounded following
        exclude current row
    )
),
coverage as (
    select
        1 as place,
        'coverage' as section,
        item,
        platform,
        afterpush.rate(confirmed, n, :'min_n') as value,
        'ratio' as unit,
        n,
        coalesce(
            n >= :'min_n'::bigint
            and other_n >= :'min_n'::bigint
            and afterpush.difference_high(confirmed, n, other_confirmed::bigint, other_n::bigint) < -0.1,
            false
        ) as flag,
        'confirmed, of the deliveries seen on a device' as detail
    from compared
),
clock as (
    select
        2, 'clock', 'skew ' || name, null, value, 'seconds', n, name = 'p99' and value >= 300,
        'how far the device''s clock was off, ' || name || ', of the requests that state sent_at'
    from (
        select
            count(skew_milliseconds) as n,
            percentile_cont(array[0.5, 0.9, 0.99]) within group (order by abs(skew_milliseconds) / 1000.0) as quantiles
        from picked
    ) as q
    cross join unnest(array['p50', 'p90', 'p99'], quantiles) as u (name, value)
    where n > 0
),
lateness as (
    select
        3, 'lateness', item, null, afterpush.rate(k, n, 1), 'ratio', n, item = 'over 7 days' and k * 100 > n,
        'stored ' || item || ' after they happened'
    from (
        select
            count(*) as n,
            count(*) filter (where stored_at > occurred_at + interval '1 hour') as hour,
            count(*) filter (where stored_at > occurred_at + interval '1 day') as day,
            count(*) filter (where stored_at > occurred_at + interval '7 days') as week
        from picked
    ) as l
    cross join lateral (values ('over 1 hour', hour), ('over 1 day', day), ('over 7 days', week)) as u (item, k)
    where n > 0
),
verification as (
    select
        4, 'verification', 'device events', null, afterpush.rate(count(*) filter (where verified), count(*), 1), 'ratio',
        count(*), false, 'verified by a receipt that names the device, or posted with a send key'
    from picked
    where kind not in ('sent', 'failed')
    having count(*) > 0
),
repetition as (
    select 5, 'repetition', item, null, k::double precision, 'events', n::bigint, item = 'conflicts' and k > 0, detail
    from (
        select
            coalesce(sum(b.events + b.duplicates), 0) as n,
            coalesce(sum(b.duplicates), 0) as duplicates,
            coalesce(sum(b.conflicts), 0) as conflicts
        from afterpush.batches as b
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
          and (:'from' = '' or b.started_at >= afterpush.report_time(:'from', :'tz'))
          and (:'to' = '' or b.started_at < afterpush.report_time(:'to', :'tz'))
    ) as r
    cross join lateral (
        values
            ('duplicates', duplicates, 'events that came again, all platforms, by when they came'),
            ('conflicts', conflicts, 'of these, with other content than the event that was kept')
    ) as u (item, k, detail)
),
told as (
    select
        delivery_id,
        case kind when 'sent' then 1 when 'delivered' then 2 else 3 end as standing,
        count(distinct platform) as platforms,
        count(distinct app_version) as app_versions,
        count(distinct row(campaign_id, variant)) filter (where campaign_id is not null) as campaigns,
        count(distinct row(category_id, category_version)) filter (where category_id is not null) as categories
    from picked
    where kind < 'token_registered'
    group by 1, 2
),
known as (
    select
        delivery_id,
        count(*) filter (where standing < 3) > 0 as is_reached,
        coalesce(sum(campaigns) filter (where standing < 3), 0) > 0 as has_campaign,
        coalesce(sum(campaigns) filter (where standing = 3), 0) > 0 as late_campaign,
        coalesce(sum(categories) filter (where standing < 3), 0) > 0 as has_category,
        coalesce(sum(categories) filter (where standing = 3), 0) > 0 as late_category,
        max(campaigns) as campaigns,
        max(categories) as categories,
        max(platforms) as platforms,
        max(app_versions) as app_versions
    from told
    group by delivery_id
),
contradiction as (
    select 6, 'contradiction', item, null, k::double precision, 'deliveries', n, k > 0, detail
    from (
        select
            count(*) as n,
            count(*) filter (where campaigns > 1) as campaign,
            count(*) filter (where categories > 1) as category,
            count(*) filter (where platforms > 1) as platform,
            count(*) filter (where app_versions > 1) as app_version,
            count(*) filter (where is_reached and late_campaign and not has_campaign) as late_campaign,
            count(*) filter (where is_reached and late_category and not has_category) as late_category
        from known
    ) as c
    cross join lateral (
        values
            ('campaign', campaign, 'events of the same standing name different campaigns or variants'),
            ('category', category, 'events of the same standing name different categories or versions'),
            ('platform', platform, 'events of the same standing name different platforms'),
            ('app_version', app_version, 'events of the same standing name different app versions'),
            ('campaign of responses', late_campaign, 'only responses name a campaign: it does not count'),
            ('category of responses', late_category, 'only responses name a category: it does not count')
    ) as u (item, k, detail)
    where n > 0
    union all
    select
        6, 'contradiction', 'negative response times', null, count(*) filter (where d.responded_at < d.reached_at),
        'deliveries', count(*), count(*) filter (where d.responded_at < d.reached_at) * 100 > count(*),
        'answered before they were confirmed or sent, by the clocks; counted as 0 s'
    from afterpush.report_deliveries(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        null, null, null,
        nullif(:'platform', ''),
        false
    ) as d
    where d.responded_at is not null
      and d.reached_at is not null
    having count(*) > 0
),
rollups as (
    select
        7, 'rollups', item, null, value, unit, null::bigint, item = 'lag' and value > 60, detail
    from (
        select
            coalesce(extract(epoch from now() - min(b.started_at)), 0)::double precision as lag,
            count(*) as waiting
        from afterpush.batches as b
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
          and b.rolled_up_at is null
    ) as w
    cross join lateral (
        values
            ('lag', greatest(lag, 0), 'seconds', 'age of the oldest stored events that no report counts yet'),
            ('waiting', waiting, 'batches', 'stored batches that no report counts yet')
    ) as u (item, value, unit, detail)
),
days as (
    select
        (d.hour at time zone :'tz')::date as day,
        max(e.stored_at) as touched_at,
        max(d.hour + interval '1 hour' + coalesce(c.response_window, interval '72 hours')) as closed_at
    from picked as e
    join afterpush.report_deliveries(:'app', null, null, null, null, null, null, false) as d using (delivery_id)
    left join afterpush.campaigns as c on c.app_id = d.app_id and c.campaign_id = d.campaign_id
    group by 1
),
finality as (
    select
        8, 'finality', 'days not final', null, count(*) filter (where not is_final)::double precision, 'days', count(*),
        false,
        coalesce(
            'the first day that may still change is ' || min(day) filter (where not is_final), 'every day is final'
        )
    from (
        select
            day,
            closed_at <= afterpush.as_of(:'app') and touched_at < afterpush.as_of(:'app') - interval '7 days' as is_final
        from days
    ) as d
    having count(*) > 0
),
listed as (
    select * from coverage
    union all select * from clock
    union all select * from lateness
    union all select * from verification
    union all select * from repetition
    union all select * from contradiction
    union all select * from rollups
    union all select * from finality
)
select section, item, platform, value, unit, n, flag, detail
from listed
order by place, platform nulls first, item;
