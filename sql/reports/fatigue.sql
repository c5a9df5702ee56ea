-- title: Fatigue
-- description: Whether people respond less when they get many notifications: response and dismissal by the number of
--   other notifications that the device had in the seven days before, from anchor to anchor, without failed ones. The
--   first seven days after a device's first delivery are left out, because nothing is known of the days before. The rates
--   compare different people: those who use an app most may get most notifications. So response_change and
--   dismiss_change compare each device with itself, with its deliveries with fewer notifications before. Declared sends
--   are left out, because their devices are unknown, and so are deliveries of erased devices. With more than 100,000
--   deliveries, those of some devices are read (device_share), unless exact is given.
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
-- parameter: exact boolean  read all devices, which can take long
-- column: recent_from integer notifications  least number of notifications in the seven days before
-- column: recent_to integer notifications  greatest number; null for no limit
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: base_n integer deliveries  the base of the response rate
-- column: responded integer deliveries  opened, acted, replied or dismissed
-- column: response_rate number ratio  responded within the base, over base_n
-- column: response_rate_low number ratio  lower bound of its 95 % interval
-- column: response_rate_high number ratio  upper bound of its 95 % interval
-- column: response_change number ratio  response rate, less that of the same devices with fewer notifications before
-- column: response_change_low number ratio  lower bound of its 95 % interval
-- column: response_change_high number ratio  upper bound of its 95 % interval
-- column: compared_devices integer  devices that response_change compares with themselves
-- column: compared_n integer deliveries  their deliveries in base_n
-- column: fewer_n integer deliveries  their deliveries with fewer notifications before: the base_n of the rows above
-- column: dismiss_n integer deliveries  base of dismiss-observable deliveries, less those replaced
-- column: dismissed integer deliveries  dismissed, where the platform reports it
-- column: dismiss_rate number ratio  dismissed within the base, over dismiss_n
-- column: dismiss_rate_low number ratio  lower bound of its 95 % interval
-- column: dismiss_rate_high number ratio  upper bound of its 95 % interval
-- column: dismiss_change number ratio  dismiss rate, less that of the same devices with fewer notifications before
-- column: dismiss_change_low number ratio  lower bound of its 95 % interval
-- column: dismiss_change_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether a rate is null because of min_n
-- column: reason text  why a rate is null: few, no_base or uncovered
-- column: device_share number ratio  share of the devices that the report reads, by a hash of their ids: 0.125, 0.03125
--   and so on; all counts are of these; no such column if it reads all
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
\if :{?exact} \else \set exact false \endif
select
    starts,
    ends,
    one_in,
    case when one_in > 1 then ', 1.0::double precision / ' || one_in || ' as device_share' else '' end as sampled
from (
    select
        starts,
        ends,
        case
            when :'exact'::boolean then 1
            else afterpush.report_one_in(:'app', starts, ends, :'verified', 100000)
        end as one_in
    from (
        select
            coalesce(afterpush.report_hour(:'from', :'tz'), '-infinity') as starts,
            coalesce(afterpush.report_hour(:'to', :'tz'), 'infinity') as ends
    ) as selected
) as read \gset
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
-- Half of the devices each, which can run in parallel.
with halves as (
    select *
    from afterpush.report_fatigue(
        :'app', :'starts', :'ends', nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified', :'bases', 0, :one_in
    )
    union all
    select *
    from afterpush.report_fatigue(
        :'app', :'starts', :'ends', nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified', :'bases', 1, :one_in
    )
),
outcomes as (
    select
        recent_from,
        outcome,
        case
            when bool_or(has_sent) and bool_or(has_confirmed) then 'mixed'
            when bool_or(has_sent) then 'sent'
            when bool_or(has_confirmed) then 'confirmed'
            else 'none'
        end as base,
        sum(n)::bigint as n,
        sum(k)::bigint as k,
        sum(all_k)::bigint as all_k,
        sum(compared_devices)::bigint as compared_devices,
        sum(compared_n)::bigint as compared_n,
        sum(fewer_n)::bigint as fewer_n,
        afterpush.within_device_difference(
            sum(difference_sum), sum(weight_sum), sum(compared_n)::bigint, sum(fewer_n)::bigint, :'min_n'
        ) as change,
        afterpush.within_device_margin(
            sum(compared_devices)::bigint,
            sum(difference_sum),
            sum(weight_sum),
            sum(difference_squares),
            sum(products),
            sum(weight_squares)
        ) as margin
    from halves
    group by recent_from, outcome
)
select
    recent_from,
    c.recent_to,
    r.base,
    r.n as base_n,
    r.all_k as responded,
    afterpush.rate(r.k, r.n, :'min_n') as response_rate,
    afterpush.rate_low(r.k, r.n, :'min_n') as response_rate_low,
    afterpush.rate_high(r.k, r.n, :'min_n') as response_rate_high,
    r.change as response_change,
    afterpush.within_device_low(r.change, r.margin) as response_change_low,
    afterpush.within_device_high(r.change, r.margin) as response_change_high,
    r.compared_devices,
    r.compared_n,
    r.fewer_n,
    d.n as dismiss_n,
    d.all_k as dismissed,
    afterpush.rate(d.k, d.n, :'min_n') as dismiss_rate,
    afterpush.rate_low(d.k, d.n, :'min_n') as dismiss_rate_low,
    afterpush.rate_high(d.k, d.n, :'min_n') as dismiss_rate_high,
    d.change as dismiss_change,
    afterpush.within_device_low(d.change, d.margin) as dismiss_change_low,
    afterpush.within_device_high(d.change, d.margin) as dismiss_change_high,
    afterpush.suppressed(:'min_n', r.n, d.n) as suppressed,
    afterpush.missing_rates(:'min_n', r.n, array[r.k, d.k], array[r.n, d.n]) as reason
    :sampled
from outcomes as r
join outcomes as d using (recent_from)
join (values (0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, null)) as c (recent_from, recent_to)
    using (recent_from)
where r.outcome = 'response'
  and d.outcome = 'dismissal'
order by recent_from;
