-- title: Health
-- description: Whether the numbers can be trusted, in one table. Each row is one check: `section` and `item` name it,
--   and `flag` is set if it needs attention. Sections, in their order: rollups (how far reports are behind), spool
--   (what collectors still hold), intake (what was received), past_limit (names that are stored as unknown), verified,
--   clock (how far devices' clocks are off), delay (how long after it happened an event was stored), response_time,
--   conflicting and responses_only (what is known of deliveries), coverage_app_version and coverage_os_version
--   (confirmed sends by the version on the device), final (the last day up to which all days are final), day (when
--   each day is final).
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
    from_hour, to_hour, first_statement_batch, afterpush.as_of(:'app') as as_of,
    -- Compiling statements of this length takes longer than they run.
    set_config('jit', 'off', false) as jit
from afterpush.report_bounds(
    :'app', afterpush.report_time(:'from', :'tz'), afterpush.report_time(:'to', :'tz')
) \gset
with events as (
    select * from afterpush.report_event_statistics(:'app', :'from_hour', :'to_hour')
),
stored as materialized (
    select anchor_hour, timed, negative, last_stored_hour
    from afterpush.rollup_stored_hours
    where app_id = (select app_id from afterpush.apps where name = :'app')
      and anchor_hour >= :'from_hour'::timestamptz
      and anchor_hour < :'to_hour'::timestamptz
),
response_times as (
    select coalesce(sum(timed), 0)::bigint as timed, coalesce(sum(negative), 0)::bigint as negative
    from stored
),
intake as materialized (
    select * from afterpush.report_intake_checks(:'app', :'from_hour', :'to_hour', :'as_of')
),
dimension_problems as materialized (
    select
        dimension, deliveries, conflicts, from_responses,
        case when one_in > 1 then '; of one in ' || one_in || ' devices' else '' end as sample
    from afterpush.report_attribution_problems(:'app', :'from_hour', :'to_hour')
),
-- A day is final once its deliveries are closed and seven days went by without a new event of them, from the end of the
-- hour in which the last was stored.
days as (
    select
        day,
        sum(deliveries)::bigint as deliveries,
        coalesce(sum(deliveries) filter (where closed_at > :'as_of'::timestamptz), 0)::bigint as open,
        greatest(max(closed_at), max(last_stored_hour) + interval '7 days 1 hour') as final_at
    from afterpush.report_closing_times(:'app', :'from_hour', :'to_hour', :'tz')
    left join (
        select (anchor_hour at time zone :'tz')::date as day, max(last_stored_hour) as last_stored_hour
        from stored
        group by 1
    ) as days using (day)
    group by day
),
coverage as materialized (
    select
        dimension, version, platform, confirmed, sent,
        case
            when version is not null
                and sent >= :'min_n'::bigint
                and other_sent >= :'min_n'::bigint
                and afterpush.wilson_high(confirmed, sent) < afterpush.wilson_low(other_confirmed, other_sent)
                -- By five percentage points or more.
                and (other_confirmed * sent - confirmed * other_sent) * 20 >= sent * other_sent
            then 'low'
        end as flag,
        'confirmed sends; other versions on the platform: '
            || coalesce(other_confirmed || ' of ' || nullif(other_sent, 0), 'none')
            || case when one_in > 1 then '; of one in ' || one_in || ' devices' else '' end as detail
    from afterpush.report_version_coverage(
        :'app', :'from_hour', :'to_hour', :'first_statement_batch'
    )
),
-- The checks whose result is a share, counted / n. `place` orders the sections. Each part has its section as a constant,
-- so that an alert, which asks for one section, computes no other.
shares (place, section, item, platform, counted, n, flag, detail) as (
    select place, section, 'rejected_share', null, value::bigint, n, null, 'rejected events, of all that were received'
    from intake
    where item = 'rejected'
    union all
    select 4, 'past_limit', c.item, null, c.counted, e.events, case when c.counted > 0 then 'past_limit' end,
        'events with a name past the limit of undeclared names; it is stored as unknown, an action as (other)'
    from events as e
    cross join lateral (
        values
            ('action', e.actions_past_limit),
            ('app_version', e.app_versions_past_limit),
            ('campaign', e.campaigns_past_limit),
            ('category', e.categories_past_limit),
            ('category_version', e.category_versions_past_limit),
            ('variant', e.variants_past_limit)
    ) as c (item, counted)
    union all
    select 5, 'verified', c.item, null, c.counted, c.n, null, c.detail
    from events as e
    cross join lateral (
        values
            ('events', e.verified, e.of_deliveries,
                'verified events of deliveries: with a receipt, or posted with a send key'),
            ('responses', e.verified_responses, e.responses, 'verified opens, actions, replies and dismissals'),
            ('device_events', e.verified_of_devices, e.of_devices,
                'verified events about the device alone: openings of the app, tokens, permissions')
    ) as c (item, counted, n, detail)
    union all
    select 6, 'clock', c.item, null, c.counted, c.n, c.flag, c.detail
    from events as e
    cross join lateral (
        values
            ('stated', e.skew_stated, e.events, null,
                'events whose request stated sent_at, so that the skew is known'),
            ('corrected', e.corrected, e.skew_stated,
                case when e.corrected > 0.05 * e.skew_stated then 'clocks_off' end,
                'of these, with a clock that was off by a minute or more')
    ) as c (item, counted, n, flag, detail)
    union all
    select 7, 'delay', 'over_' || c.item, null, c.counted, e.events, c.flag,
        'events stored this long after they occurred, or later'
    from events as e
    cross join lateral (
        values
            ('1h', e.over_1h, null),
            ('24h', e.over_24h, null),
            ('72h', e.over_72h, case when e.over_72h > 0.05 * e.events then 'late' end)
    ) as c (item, counted, flag)
    union all
    select 8, 'response_time', 'negative', null, negative, timed,
        case when negative > 0.01 * timed then 'before_delivery' end,
        'responses before the confirmation (else the send); they count as 0 seconds'
    from response_times
    union all
    select 9, 'conflicting', dimension, null, conflicts, deliveries,
        case when conflicts > 0.01 * deliveries then 'conflicts' end,
        'deliveries whose events of the same rank state different values; the smallest counts' || sample
    from dimension_problems
    union all
    select 10, 'responses_only', dimension, null, from_responses, deliveries,
        case when from_responses > 0.01 * deliveries then 'missing_from_sends' end,
        'deliveries for which no send or confirmation states it, but another event does; without failed ones' || sample
    from dimension_problems
    union all
    select 11, 'coverage_app_version', version, platform, confirmed, sent, flag, detail
    from coverage
    where dimension = 'app_version'
    union all
    select 12, 'coverage_os_version', version, platform, confirmed, sent, flag, detail
    from coverage
    where dimension = 'os_version'
),
-- The other checks.
quantities (place, section, item, value, unit, n, at, flag, detail) as (
    select *
    from intake
    union all
    select 6, 'clock', 'skew_' || q.item, q.seconds, 'seconds', e.skew_stated, null, null,
        'correction of device times; under a minute counts as 0'
    from events as e
    cross join lateral (values ('p01', e.skew_p01), ('p50', e.skew_p50), ('p99', e.skew_p99)) as q (item, seconds)
    union all
    select 7, 'delay', q.item, q.seconds, 'seconds', e.events, null, null, 'time from an event to its storage'
    from events as e
    cross join lateral (values ('p50', e.delay_p50), ('p90', e.delay_p90), ('p99', e.delay_p99)) as q (item, seconds)
    union all
    select 13, 'final', max(day)::text, count(*), 'days', (select count(*) from days), max(final_at), null,
        'the last day up to which all days are final'
    from (
        select *, bool_and(final_at <= :'as_of'::timestamptz) over (order by day) as all_final
        from days
    ) as d
    where all_final
    union all
    select 14, 'day', day::text, open, 'deliveries', deliveries, final_at,
        case when open > 0 then 'open' when final_at > :'as_of'::timestamptz then 'settling' end,
        case
            when open > 0 then 'deliveries that are not closed; final at that time at the earliest'
            when final_at > :'as_of'::timestamptz then 'all closed; final at that time unless another event comes'
            else 'final since that time'
        end
    from days
)
select section, item, platform, counted, value, value_low, value_high, unit, n, at, flag, suppressed, detail
from (
    select
        place, section, item, platform, counted,
        afterpush.rate(counted, n, :'min_n') as value,
        afterpush.rate_low(counted, n, :'min_n') as value_low,
        afterpush.rate_high(counted, n, :'min_n') as value_high,
        'ratio' as unit, n, null::timestamptz as at, flag,
        afterpush.suppressed(:'min_n', n) as suppressed,
        detail
    from shares
    union all
    select place, section, item, null, null, value, null, null, unit, n, at, flag, false, detail
    from quantities
) as finding
order by place, platform collate "C" nulls last, item collate "C" nulls last;
