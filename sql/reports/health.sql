-- title: Health
-- description: Whether the numbers can be trusted, in one table. Each row is one check: `section` and `item` name it,
--   and `flag` is set if it needs attention. Sections, in their order: rollups (how far reports are behind), spool
--   (what collectors still hold), intake (what was received), verified, clock (how far devices' clocks are off), delay
--   (how long after it happened an event was stored), response_time, conflicting and responses_only (what is known of
--   deliveries), coverage_app_version and coverage_os_version (confirmed sends by the version on the device), final
--   (the last day up to which all days are final), day (when each day is final).
-- parameter: from time  first anchor hour, or first hour of events; empty for no limit
-- parameter: to time  end of the hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: min_n integer 1..  a share of fewer than this is null, and flags no version
-- column: section text  what the row belongs to
-- column: item text  what was checked; null for an unknown version
-- column: platform text  platform, in rows about versions; null if unknown
-- column: counted integer  numerator of a share, of n; null if the value is no share
-- column: value number  the result, in unit
-- column: value_low number  lower bound of the 95 % interval of a share
-- column: value_high number  upper bound of the 95 % interval of a share
-- column: unit text  ratio, seconds, events, deliveries or days
-- column: n integer  number of events, deliveries, batches or days that were checked
-- column: at time  as_of, the time of the oldest waiting event, or when a day is or will be final
-- column: flag text  what needs attention; null if nothing does
-- column: suppressed boolean  whether the share is null because of min_n
-- column: detail text  what the row means
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?min_n} \else \set min_n 30 \endif
select
    from_hour, to_hour, first_batch, first_statement_batch, afterpush.as_of(:'app') as as_of,
    -- The bits of `oddities`. Conflict: an event of the deciding source rank states another value. From response: only
    -- events other than sends and confirmations state a value.
    1 as platform_conflict, 2 as app_version_conflict, 4 as campaign_conflict, 8 as category_conflict,
    16 as platform_from_response, 32 as app_version_from_response, 64 as campaign_from_response,
    128 as category_from_response,
    -- Compiling statements of this length takes longer than they run.
    set_config('jit', 'off', false) as jit
from afterpush.report_bounds(
    :'app', afterpush.report_time(:'from', :'tz'), afterpush.report_time(:'to', :'tz')
) \gset
with this_app as materialized (
    select app_id, :'as_of'::timestamptz as as_of
    from afterpush.apps
    where name = :'app'
),
waiting as (
    select count(*) as batches, coalesce(sum(events), 0) as events
    from afterpush.batches
    join this_app using (app_id)
    where rolled_up_at is null
),
-- A collector that holds nothing and no longer reports has ended.
spooled as (
    select events, oldest_at, reported_at, reported_at < now() - interval '1 minute' as away
    from afterpush.spools
    where events > 0
       or reported_at >= now() - interval '1 minute'
),
intake as (
    select
        coalesce(sum(events), 0) as stored,
        coalesce(sum(duplicates), 0) as duplicates,
        coalesce(sum(conflicts), 0) as conflicts,
        coalesce(sum(rejected), 0) as rejected,
        coalesce(sum(events::bigint + duplicates + rejected), 0)::bigint as received
    from afterpush.batches
    join this_app using (app_id)
    where started_at >= :'from_hour'::timestamptz
      and started_at < :'to_hour'::timestamptz
),
-- Events, grouped for all checks in one pass. Delays over an hour count in minutes, over a day in hours, so that
-- the groups stay few.
event_groups as materialized (
    select
        of_delivery, is_response, verified, skew,
        case
            when delay between -3600 and 3599 then delay
            when delay < 86400 then floor(delay / 60) * 60
            else floor(delay / 3600) * 3600
        end as delay,
        count(*) as events
    from (
        select
            e.kind < 'token_registered' as of_delivery,
            e.kind in ('opened', 'action', 'text_input', 'dismissed') as is_response,
            e.verified,
            e.skew_milliseconds / 1000 as skew,
            floor(date_part('epoch', b.started_at - e.occurred_at)) as delay
        from afterpush.events as e
        join afterpush.batches as b using (batch_id)
        where e.app_id = (select app_id from this_app)
          and e.batch_id >= :'first_batch'::bigint
          and e.occurred_at >= :'from_hour'::timestamptz
          and e.occurred_at < :'to_hour'::timestamptz
    ) as e
    group by 1, 2, 3, 4, 5
),
-- Quantiles by nearest rank: the first value that is at least as great as that share of all values.
delays as (
    select delay, events, sum(events) over (order by delay) as reached, sum(events) over () as n
    from (select delay, sum(events) as events from event_groups group by delay) as d
),
skews as (
    select skew, events, sum(events) over (order by skew) as reached, sum(events) over () as n
    from (select skew, sum(events) as events from event_groups where skew is not null group by skew) as s
),
delivered as not materialized (
    select *, coalesce(sent_at, receipt_issued_at, first_event_at) as anchor
    from afterpush.deliveries
    where app_id = (select app_id from this_app)
      and (
          :'from_hour' = '-infinity'
          or coalesce(sent_at, receipt_issued_at, first_event_at) >= :'from_hour'::timestamptz
      )
      and (:'to_hour' = 'infinity' or coalesce(sent_at, receipt_issued_at, first_event_at) < :'to_hour'::timestamptz)
),
-- The events of deliveries, compared with the dimensions that hold: one row per anchor hour, and one per delivery whose
-- events differ. Source ranks: 1 sends, 2 confirmations, 3 other events, 4 no event that states a value.
odd as materialized (
    select
        anchor_hour, oddities, delivery_id, max(started_at) as last_stored_at
    from (
        select
            anchor_hour, started_at, oddities, case when oddities <> 0 then delivery_id end as delivery_id
        from (
            select
                afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
                b.started_at,
                d.delivery_id,
                case
                    when e.platform is null then 0
                    else (d.platform_source_rank = e.source_rank and e.platform <> d.platform)::integer
                            * :platform_conflict
                        + (e.source_rank = 3 and d.platform_source_rank >= 3)::integer * :platform_from_response
                end
                + case
                    when e.app_version is null then 0
                    else (d.app_version_source_rank = e.source_rank and e.app_version <> d.app_version)::integer
                            * :app_version_conflict
                        + (e.source_rank = 3 and d.app_version_source_rank >= 3)::integer * :app_version_from_response
                end
                + case
                    when e.campaign_id is null then 0
                    else (
                        d.campaign_source_rank = e.source_rank
                        and (e.campaign_id <> d.campaign_id or e.variant is distinct from d.variant)
                    )::integer * :campaign_conflict
                        + (e.source_rank = 3 and d.campaign_source_rank >= 3)::integer * :campaign_from_response
                end
                + case
                    when e.category_id is null then 0
                    else (
                        d.category_source_rank = e.source_rank
                        and (
                            e.category_id <> d.category_id
                            or e.category_version is distinct from d.category_version
                        )
                    )::integer * :category_conflict
                        + (e.source_rank = 3 and d.category_source_rank >= 3)::integer * :category_from_response
                end as oddities
            from (
                select *, case kind when 'sent' then 1 when 'delivered' then 2 else 3 end as source_rank
                from afterpush.events
                where app_id = (select app_id from this_app)
                  and batch_id >= :'first_batch'::bigint
                  -- No event of these deliveries occurred before.
                  and occurred_at >= (select min(first_event_at) from delivered)
                  and kind < 'token_registered'
            ) as e
            join delivered as d using (delivery_id)
            join afterpush.batches as b using (batch_id)
        ) as compared
    ) as marked
    group by anchor_hour, oddities, delivery_id
),
odd_deliveries as (
    select delivery_id, bit_or(oddities) as oddities
    from odd
    where delivery_id is not null
    group by delivery_id
),
dimensions (item, conflict, from_response) as (
    values
        ('platform', :platform_conflict, :platform_from_response),
        ('app_version', :app_version_conflict, :app_version_from_response),
        ('campaign', :campaign_conflict, :campaign_from_response),
        ('category', :category_conflict, :category_from_response)
),
counted as (
    select
        count(*) as deliveries,
        count(*) filter (where responded_at is not null and coalesce(confirmed_at, sent_at) is not null) as timed,
        count(*) filter (where responded_at < coalesce(confirmed_at, sent_at)) as negative
    from delivered
),
systems_of_sends as (
    select delivery_id, min(os_version) as os_version
    from afterpush.events
    where app_id = (select app_id from this_app)
      and batch_id >= :'first_batch'::bigint
      and occurred_at >= :'from_hour'::timestamptz
      and kind = 'sent'
      and os_version is not null
    group by delivery_id
),
sends as materialized (
    select
        d.device_id, d.sent_at, d.platform, d.confirmed_at is not null as confirmed,
        case when d.app_version_source_rank = 1 then d.app_version end as app_version, o.os_version
    from delivered as d
    left join systems_of_sends as o using (delivery_id)
    where afterpush.is_sent(d.kinds)
),
-- When each device with a send first stated each version of its app and its system. Read from the tables, not from
-- `sends`, so that several processes can read.
stated as (
    select device_id, dimension, version, min(since) as since
    from (
        select device_id, app_version, os_version, min(occurred_at) as since
        from afterpush.events
        where app_id = (select app_id from this_app)
          and batch_id >= :'first_statement_batch'::bigint
          and occurred_at >= :'from_hour'::timestamptz - interval '30 days'
          and (app_version is not null or os_version is not null)
          and exists (select from sends where app_version is null or os_version is null)
          and device_id in (select device_id from delivered where afterpush.is_sent(kinds))
        group by device_id, app_version, os_version
    ) as e
    cross join lateral (values (1, app_version), (2, os_version)) as s (dimension, version)
    where version is not null
    group by device_id, dimension, version
),
-- From that time until the device first stated another version; of several at once the smallest.
spans as (
    select
        *,
        lead(since, 1, 'infinity') over (partition by device_id, dimension order by since, version desc) as until
    from stated
),
coverage as (
    select
        s.dimension, s.platform, coalesce(s.version, v.version) as version,
        count(*) as sent, count(*) filter (where s.confirmed) as confirmed
    from (
        select device_id, sent_at, platform, confirmed, dimension, version
        from sends
        cross join lateral (values (1, app_version), (2, os_version)) as d (dimension, version)
    ) as s
    left join spans as v
        on s.version is null
        and v.device_id = s.device_id
        and v.dimension = s.dimension
        and v.since < s.sent_at
        and s.sent_at <= v.until
    group by 1, 2, 3
),
-- With the other known versions of the platform together.
compared as (
    select
        *,
        sum(sent) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else sent end as other_sent,
        sum(confirmed) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else confirmed end as other_confirmed
    from coverage
),
last_declared as (
    select s.campaign_id, max(afterpush.anchor_hour(s.sent_at, null, null)) as hour
    from afterpush.sends as s
    join this_app using (app_id)
    group by s.campaign_id
),
closing as (
    select
        (r.anchor_hour at time zone :'tz')::date as day,
        coalesce(l.hour, r.anchor_hour) + interval '1 hour' + coalesce(c.response_window, interval '72 hours')
            as closed_at,
        r.deliveries
    from (
        select app_id, anchor_hour, campaign_id, sum(deliveries)::bigint as deliveries
        from afterpush.rollup_deliveries
        where app_id = (select app_id from this_app)
          and not verified
          and anchor_hour >= :'from_hour'::timestamptz
          and anchor_hour < :'to_hour'::timestamptz
        group by app_id, anchor_hour, campaign_id
    ) as r
    left join last_declared as l using (campaign_id)
    left join afterpush.campaigns as c using (app_id, campaign_id)
),
news as (
    select (anchor_hour at time zone :'tz')::date as day, max(last_stored_at) as last_stored_at
    from odd
    group by 1
),
days as (
    select
        c.day,
        sum(c.deliveries)::bigint as deliveries,
        coalesce(sum(c.deliveries) filter (where c.closed_at > this_app.as_of), 0)::bigint as open,
        greatest(max(c.closed_at), max(n.last_stored_at) + interval '7 days') as final_at
    from closing as c
    left join news as n using (day)
    cross join this_app
    group by c.day
),
final as (
    select max(day) as through, count(*) as days, max(final_at) as final_at
    from (
        select *, bool_and(final_at <= (select as_of from this_app)) over (order by day) as all_final
        from days
    ) as d
    where all_final
),
shares (place, section, item, platform, k, n, at, flag, detail) as (
    select 4, 'verified', 'events', null, coalesce(sum(events) filter (where verified), 0)::bigint,
        coalesce(sum(events), 0)::bigint, null::timestamptz, null,
        'verified events of deliveries: with a receipt, or posted with a send key'
    from event_groups
    where of_delivery
    union all
    select 4, 'verified', 'responses', null, coalesce(sum(events) filter (where verified), 0)::bigint,
        coalesce(sum(events), 0)::bigint, null, null, 'verified opens, actions, replies and dismissals'
    from event_groups
    where is_response
    union all
    select 5, 'clock', 'stated', null, coalesce(sum(events) filter (where skew is not null), 0)::bigint,
        coalesce(sum(events), 0)::bigint, null, null, 'events whose request stated sent_at, so that the skew is known'
    from event_groups
    union all
    select 5, 'clock', 'corrected', null, coalesce(sum(events) filter (where skew <> 0), 0)::bigint,
        coalesce(sum(events), 0)::bigint, null,
        case when sum(events) filter (where skew <> 0) > 0.05 * sum(events) then 'clocks_off' end,
        'of these, with a clock that was off by a minute or more'
    from event_groups
    where skew is not null
    union all
    select 6, 'delay', 'over_' || l.item, null, coalesce(sum(d.events) filter (where d.delay >= l.seconds), 0)::bigint,
        coalesce(sum(d.events), 0)::bigint, null,
        case
            when l.seconds = 259200 and sum(d.events) filter (where d.delay >= l.seconds) > 0.05 * sum(d.events)
            then 'late'
        end,
        'events stored this long after they occurred, or later'
    from (values (3600, '1h'), (86400, '24h'), (259200, '72h')) as l (seconds, item)
    left join delays as d on true
    group by l.seconds, l.item
    union all
    select 7, 'response_time', 'negative', null, negative, timed, null,
        case when negative > 0.01 * timed then 'before_delivery' end,
        'responses before the confirmation (else the send); they count as 0 seconds'
    from counted
    union all
    select 8, 'conflicting', d.item, null, count(o.delivery_id), c.deliveries, null,
        case when count(o.delivery_id) > 0.01 * c.deliveries then 'conflicts' end,
        'deliveries whose events of the same rank state different values; the smallest counts'
    from dimensions as d
    cross join counted as c
    left join odd_deliveries as o on o.oddities & d.conflict <> 0
    group by d.item, c.deliveries
    union all
    select 9, 'responses_only', d.item, null, count(o.delivery_id), c.deliveries, null,
        case when count(o.delivery_id) > 0.01 * c.deliveries then 'missing_from_sends' end,
        'deliveries for which no send or confirmation states it, but another event does'
    from dimensions as d
    cross join counted as c
    left join odd_deliveries as o on o.oddities & d.from_response <> 0
    group by d.item, c.deliveries
    union all
    select 9 + dimension, case dimension when 1 then 'coverage_app_version' else 'coverage_os_version' end, version,
        platform, confirmed, sent, null,
        case
            when version is not null
                and sent >= :'min_n'::bigint
                and other_sent >= :'min_n'::bigint
                and afterpush.wilson_high(confirmed, sent)
                    < afterpush.wilson_low(other_confirmed::bigint, other_sent::bigint)
                and (other_confirmed * sent - confirmed * other_sent) * 20 >= sent * other_sent
            then 'low'
        end,
        'confirmed sends; other versions on the platform: '
            || coalesce(other_confirmed || ' of ' || nullif(other_sent, 0), 'none')
    from compared
),
quantities (place, section, item, value, unit, n, at, flag, detail) as (
    select 1, 'rollups', 'lag', date_part('epoch', now() - a.as_of), 'seconds', w.batches, a.as_of,
        case when a.as_of < now() - interval '1 minute' then 'behind' end,
        'how far reports are behind; ' || w.events || ' events wait'
    from this_app as a
    cross join waiting as w
    union all
    select 2, 'spool', 'waiting', sum(events), 'events', count(*), min(oldest_at),
        case when bool_or(away) then 'away' when sum(events) > 0 then 'spooled' end,
        case
            when count(*) = 0 then 'no collector has reported a spool'
            else 'events of all apps answered 202 and not stored yet; collectors that reported: ' || count(*)
                || ', the first of them at ' || afterpush.rfc3339(min(reported_at))
        end
    from spooled
    union all
    select 3, 'intake', i.item, i.value, 'events', intake.received, null,
        case
            when i.item = 'conflicts' and i.value > 0 then 'conflicts'
            when i.item = 'rejected' and i.value > 0.01 * intake.received then 'rejected'
        end,
        i.detail
    from intake
    cross join lateral (
        values
            ('stored', stored, 'new events'),
            ('duplicates', duplicates, 'events that were stored before; they add nothing'),
            ('conflicts', conflicts, 'duplicates with different content; the event stored first stays'),
            ('rejected', rejected, 'see the report rejected')
    ) as i (item, value, detail)
    union all
    select 5, 'clock', 'skew_' || q.item, min(s.skew) filter (where s.reached >= q.share * s.n), 'seconds',
        coalesce(max(s.n), 0)::bigint, null, null, 'correction of device times; under a minute counts as 0'
    from (values ('p01', 0.01), ('p50', 0.5), ('p99', 0.99)) as q (item, share)
    left join skews as s on true
    group by q.item
    union all
    select 6, 'delay', q.item, min(d.delay) filter (where d.reached >= q.share * d.n), 'seconds',
        coalesce(max(d.n), 0)::bigint, null, null, 'time from an event to its storage'
    from (values ('p50', 0.5), ('p90', 0.9), ('p99', 0.99)) as q (item, share)
    left join delays as d on true
    group by q.item
    union all
    select 12, 'final', f.through::text, f.days, 'days', (select count(*) from days), f.final_at, null,
        'the last day up to which all days are final'
    from final as f
    union all
    select 13, 'day', d.day::text, d.open, 'deliveries', d.deliveries, d.final_at,
        case when d.open > 0 then 'open' when d.final_at > a.as_of then 'settling' end,
        case
            when d.open > 0 then 'deliveries that are not closed; final at that time at the earliest'
            when d.final_at > a.as_of then 'all closed; final at that time unless another event comes'
            else 'final since that time'
        end
    from days as d
    cross join this_app as a
)
select
    section, item, platform, counted, value, value_low, value_high, unit, n, at, flag, suppressed, detail
from (
    select
        place, section, item, platform, k as counted,
        afterpush.rate(k, n, :'min_n') as value,
        afterpush.rate_low(k, n, :'min_n') as value_low,
        afterpush.rate_high(k, n, :'min_n') as value_high,
        'ratio' as unit, n, at, flag,
        afterpush.suppressed(:'min_n', n) as suppressed,
        detail
    from shares
    union all
    select place, section, item, null, null, value, null, null, unit, n, at, flag, false, detail
    from quantities
) as finding
order by place, platform collate "C" nulls last, item collate "C" nulls last;
