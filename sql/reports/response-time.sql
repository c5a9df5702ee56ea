-- title: Time to response
-- description: How long it takes until the first response, on one clock: from the confirmation, or from the send. Quantiles
--   are those of the responses, by the Kaplan-Meier estimate, which allows for deliveries that can still be answered.
--   Deliveries without the clock are left out, those without a response are censored when they fail or are replaced, at
--   the latest at as_of, and a negative time counts as 0. Above 100,000 deliveries, times are in logarithmic buckets and
--   at most 4 % off. With curve=true, the share of deliveries without a response after a number of seconds: one row per
--   time, or, of more than 1,000 times, one per 8 %.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: app_version text  only this version of the app
-- parameter: verified boolean  count only states that verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups, at most two, in the order given
-- parameter: clock text auto|confirmed|sent  where times begin; auto takes the confirmation if at least half of the
--   deliveries that were confirmed or sent have one, else the send
-- parameter: curve boolean  the share of deliveries without a response over time, instead of quantiles
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the anchor hour's start
-- column: hour time  anchor hour
-- column: app_version text  version of the app; null if unknown
-- column: responded integer deliveries  deliveries that responded; with curve, those in the row's range of times
-- column: p50_seconds number seconds  median time to the first response
-- column: p90_seconds number seconds  time within which 90 % of the responses came
-- column: p99_seconds number seconds  time within which 99 % of the responses came
-- column: timed integer deliveries  responded, and with the clock: the responses of which the quantiles are
-- column: seconds number seconds  latest time in the row's range
-- column: at_risk integer deliveries  deliveries without a response that were observed until then
-- column: survival number ratio  share of deliveries without a response after that time
-- column: clock text  where times begin: confirmed, sent, or null if no delivery was confirmed or sent
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?app_version} \else \set app_version '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by '' \endif
\if :{?clock} \else \set clock auto \endif
\if :{?curve} \else \set curve false \endif
select
    by_columns,
    by_order,
    case
        when :'curve'::boolean then 'seconds, at_risk, responded, survival, clock'
        else by_columns || 'responded, p50_seconds, p90_seconds, p99_seconds, timed, clock'
    end as shown,
    case when :'curve'::boolean then 'curve' else 'quantiles' end as source,
    case when :'curve'::boolean then 'seconds' else by_order end as sorted
from afterpush.report_by(case when :'curve'::boolean then '' else :'by' end) \gset
with quantiles as (
    select *
    from afterpush.report_times(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'by',
        :'tz',
        :'clock',
        only_app_version => nullif(:'app_version', '')
    )
),
curve as (
    select *
    from afterpush.report_response_curve(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'clock',
        only_app_version => nullif(:'app_version', '')
    )
)
select :shown
from :source
order by :sorted;
