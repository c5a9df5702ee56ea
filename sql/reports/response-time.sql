-- title: Time to response
-- description: How long it takes until the first response: from the confirmation, else from the send; deliveries with
--   neither are left out of the quantiles, a negative time (a device's clock) counts as 0. Quantiles are at most 4 %
--   off. With curve=true, the share of deliveries still unanswered after so many seconds (Kaplan-Meier, unanswered
--   deliveries are censored at as_of), a row for each of a few hundred classes of time.
-- parameter: from time  first anchor hour counted; empty: no bound
-- parameter: to time  first anchor hour not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only what verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups: at most two, in this order
-- parameter: curve boolean  the share still unanswered over time, of all selected deliveries, instead of quantiles
-- column: campaign_id text  campaign; null is unknown
-- column: category_id text  category; null is unknown
-- column: variant text  variant of the campaign; null is unknown
-- column: platform text  platform; null is unknown
-- column: day date  local day of the anchor hour's start
-- column: hour time  anchor hour
-- column: app_version text  version of the app; null is unknown
-- column: responded integer deliveries  deliveries that responded; with curve, those that did in the row's class of time
-- column: p50_seconds number seconds  median time to the first response
-- column: p90_seconds number seconds  time in which 90 % of the responses came
-- column: p99_seconds number seconds  time in which 99 % of the responses came
-- column: seconds number seconds  latest response in the row's class of time
-- column: at_risk integer deliveries  deliveries unanswered and observed until then
-- column: survival number ratio  share of deliveries unanswered after that time
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by '' \endif
\if :{?curve} \else \set curve false \endif
select
    by_columns,
    by_group,
    by_order,
    case
        when :'curve'::boolean then 'seconds, at_risk, responded, survival'
        else by_columns || 'responded, p50_seconds, p90_seconds, p99_seconds'
    end as shown,
    case when :'curve'::boolean then 'curve' else 'quantiles' end as source,
    case when :'curve'::boolean then 'seconds' else by_order end as sorted
from afterpush.report_by(case when :'curve'::boolean then '' else :'by' end) \gset
with deliveries as materialized (
    select
        nullif(d.campaign_id, '') as campaign_id,
        nullif(d.category_id, '') as category_id,
        nullif(d.variant, '') as variant,
        nullif(d.platform, '') as platform,
        nullif(d.app_version, '') as app_version,
        (d.hour at time zone :'tz')::date as day,
        d.hour,
        d.responded_at is not null as has_responded,
        greatest(coalesce(d.responded_at, afterpush.as_of(:'app')) - d.reached_at, interval '0') as duration
    from afterpush.report_deliveries(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean
    ) as d
    where d.responded_at is not null or :'curve'::boolean
),
buckets as (
    select :by_columns afterpush.time_bucket(duration) as bucket, count(*) as responded
    from deliveries
    where has_responded
    group by :by_columns afterpush.time_bucket(duration)
),
running as (
    select
        :by_columns
        bucket,
        responded,
        sum(responded) filter (where bucket >= 0) over (w order by bucket) as reached,
        sum(responded) filter (where bucket >= 0) over w as timed
    from buckets
    window w as (partition by :by_columns 1::integer)
),
quantiles as (
    select
        :by_columns
        coalesce(sum(responded), 0)::bigint as responded,
        afterpush.bucket_seconds(min(bucket) filter (where reached >= 0.50 * timed)) as p50_seconds,
        afterpush.bucket_seconds(min(bucket) filter (where reached >= 0.90 * timed)) as p90_seconds,
        afterpush.bucket_seconds(min(bucket) filter (where reached >= 0.99 * timed)) as p99_seconds
    from running
    group by :by_group
),
moments as (
    select duration, count(*) filter (where has_responded) as responded, count(*) as ended
    from deliveries
    where duration is not null
      and :'curve'::boolean
    group by duration
),
risks as (
    select duration, responded, sum(ended) over (order by duration desc) as at_risk
    from moments
),
survivals as (
    select
        duration,
        responded,
        at_risk,
        -- A product, by logarithms; once nobody is left it is 0.
        case
            when bool_or(responded = at_risk) over up_to then 0
            else exp(sum(ln(1 - case when responded < at_risk then responded / at_risk::double precision else 0 end))
                over up_to)
        end as survival
    from risks
    where responded > 0
    window up_to as (order by duration)
),
curve as (
    select
        extract(epoch from max(duration))::double precision as seconds,
        max(at_risk)::bigint as at_risk,
        sum(responded)::bigint as responded,
        min(survival) as survival
    from survivals
    group by afterpush.time_bucket(duration)
)
select :shown
from :source
order by :sorted;
