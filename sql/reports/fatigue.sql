-- title: Fatigue
-- description: Whether people who get many notifications respond less: response and dismissal by the number of other
--   notifications that the device had in the seven days before, from anchor to anchor, without failed ones. Declared
--   sends are left out, because their devices are unknown, and so are deliveries of erased devices.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only states that verified events show
-- parameter: base text auto|sent|confirmed  base of the rates; auto takes for each campaign sent if its sends cover
--   half of its deliveries, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- column: recent_from integer notifications  least number of notifications in the seven days before
-- column: recent_to integer notifications  greatest number; null for no limit
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: base_n integer deliveries  the base of the response rate
-- column: responded integer deliveries  opened, acted, replied or dismissed
-- column: response_rate number ratio  responded within the base, over base_n
-- column: response_rate_low number ratio  lower bound of its 95 % interval
-- column: response_rate_high number ratio  upper bound of its 95 % interval
-- column: dismiss_n integer deliveries  base of dismiss-observable deliveries, less those replaced
-- column: dismissed integer deliveries  dismissed, where the platform reports it
-- column: dismiss_rate number ratio  dismissed within the base, over dismiss_n
-- column: dismiss_rate_low number ratio  lower bound of its 95 % interval
-- column: dismiss_rate_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether a rate is null because of min_n
-- column: reason text  why a rate is null: few, no_base or uncovered
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?base} \else \set base auto \endif
\if :{?min_n} \else \set min_n 30 \endif
select starts, ends, coalesce(afterpush.report_hour_at_share(:'app', starts, ends, 0.65), starts) as middle
from (
    select
        coalesce(afterpush.report_hour(:'from', :'tz'), '-infinity') as starts,
        coalesce(afterpush.report_hour(:'to', :'tz'), 'infinity') as ends
) as selected \gset
-- Declared sends are no base, so the deliveries' own sends decide.
select afterpush.report_bases(
    :'app',
    afterpush.report_time(:'from', :'tz'),
    afterpush.report_time(:'to', :'tz'),
    nullif(:'campaign', ''),
    nullif(:'category', ''),
    nullif(:'variant', ''),
    nullif(:'platform', ''),
    :'verified'::boolean,
    :'base',
    own_sends => true
)::text as bases \gset
-- In two parts, which can run in parallel. The later part takes longer for its size, because new rows lie anywhere.
with classes as (
    select *
    from afterpush.report_recent_deliveries(
        :'app', :'starts', :'middle', nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified', :'bases'
    )
    union all
    select *
    from afterpush.report_recent_deliveries(
        :'app', :'middle', :'ends', nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified', :'bases'
    )
),
selected as materialized (
    select
        recent,
        base,
        case base
            when 'sent' then afterpush.is_sent(kinds)
            when 'confirmed' then afterpush.is_confirmed(kinds)
            else false
        end as in_base,
        afterpush.has_responded(kinds) as has_responded,
        afterpush.is_dismissed(kinds) as was_dismissed,
        afterpush.is_replaced(kinds) as was_replaced,
        dismiss_observable,
        deliveries
    from classes
),
counted as (
    select
        c.recent_from,
        c.recent_to,
        case
            when bool_or(base = 'sent') and bool_or(base = 'confirmed') then 'mixed'
            when bool_or(base = 'sent') then 'sent'
            when bool_or(base = 'confirmed') then 'confirmed'
            else 'none'
        end as base,
        coalesce(sum(deliveries) filter (where in_base), 0)::bigint as base_n,
        coalesce(sum(deliveries) filter (where has_responded), 0)::bigint as responded,
        coalesce(sum(deliveries) filter (where in_base and has_responded), 0)::bigint as responded_base,
        coalesce(
            sum(deliveries) filter (where in_base and dismiss_observable and not was_replaced), 0
        )::bigint as dismiss_n,
        coalesce(sum(deliveries) filter (where was_dismissed), 0)::bigint as dismissed,
        coalesce(
            sum(deliveries) filter (where in_base and dismiss_observable and was_dismissed), 0
        )::bigint as dismissed_base
    from selected as s
    join (values (0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, null)) as c (recent_from, recent_to)
        on s.recent >= c.recent_from
        and s.recent <= coalesce(c.recent_to, s.recent)
    group by c.recent_from, c.recent_to
)
select
    recent_from,
    recent_to,
    base,
    base_n,
    responded,
    afterpush.rate(responded_base, base_n, :'min_n') as response_rate,
    afterpush.rate_low(responded_base, base_n, :'min_n') as response_rate_low,
    afterpush.rate_high(responded_base, base_n, :'min_n') as response_rate_high,
    dismiss_n,
    dismissed,
    afterpush.rate(dismissed_base, dismiss_n, :'min_n') as dismiss_rate,
    afterpush.rate_low(dismissed_base, dismiss_n, :'min_n') as dismiss_rate_low,
    afterpush.rate_high(dismissed_base, dismiss_n, :'min_n') as dismiss_rate_high,
    afterpush.suppressed(:'min_n', base_n, dismiss_n) as suppressed,
    afterpush.missing_rates(
        :'min_n', base_n, array[responded_base, dismissed_base], array[base_n, dismiss_n]
    ) as reason
from counted
order by recent_from;
