-- title: Response by hour and weekday
-- description: Which local hours and weekdays get responses: deliveries by the hour of their anchor in tz, and the
--   share of the base that responded, whenever it did.
-- parameter: from time  first anchor hour counted; empty: no bound
-- parameter: to time  first anchor hour not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only what verified events show
-- parameter: per text auto|sent|confirmed  base of the rates; auto is sent if there are sends, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than these is left out
-- column: weekday integer  1 is Monday, 7 is Sunday
-- column: hour integer  hour of the day in tz, 0 to 23
-- column: base_n integer deliveries  the base of the rate
-- column: responded integer deliveries  opened, acted, replied or dismissed
-- column: response_rate number ratio  responded within the base, over base_n
-- column: response_rate_low number ratio  lower bound of its 95 % interval
-- column: response_rate_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether min_n left the rate out
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?per} \else \set per auto \endif
\if :{?min_n} \else \set min_n 30 \endif
with counted as (
    select
        extract(isodow from f.hour at time zone :'tz')::integer as weekday,
        extract(hour from f.hour at time zone :'tz')::integer as hour,
        sum(f.base_count)::bigint as base_n,
        sum(f.responded)::bigint as responded,
        coalesce(sum(f.responded) filter (where f.in_base), 0)::bigint as responded_base
    from afterpush.report_facts(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'per',
        'hour'
    ) as f
    group by 1, 2
)
select
    weekday,
    hour,
    base_n,
    responded,
    afterpush.rate(responded_base, base_n, :'min_n') as response_rate,
    afterpush.rate_low(responded_base, base_n, :'min_n') as response_rate_low,
    afterpush.rate_high(responded_base, base_n, :'min_n') as response_rate_high,
    afterpush.suppressed(:'min_n', base_n) as suppressed
from counted
order by weekday, hour;
