-- title: Value
-- description: What the deliveries were worth, by currency: the sum of `value` over their distinct converted events, in
--   total and per delivery of the base. Refunds are negative values, and often late, so events count at any time, also
--   after the conversion window. Currencies are not converted into each other. A
--   group has a row for each currency in the selection, so a group without a value is there with 0.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: app_version text  only this version of the app
-- parameter: verified boolean  count only states and values that verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups, at most two, in the order given
-- parameter: base text auto|sent|confirmed  base of the means; auto takes for each campaign sent if its sends cover
--   half of its deliveries, else confirmed
-- parameter: min_n integer 1..  a mean over fewer deliveries than this is null
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the anchor hour's start
-- column: hour time  anchor hour
-- column: app_version text  version of the app; null if unknown
-- column: currency text  currency of the values, as an ISO 4217 code; null for values that state none
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: base_n integer deliveries  the base of the mean
-- column: converted_with_value integer deliveries  with a converted event that states a value, within the base
-- column: total_value number currency  sum of their values
-- column: value_per_delivery number currency  total_value over base_n
-- column: value_per_delivery_low number currency  lower bound of its 95 % interval
-- column: value_per_delivery_high number currency  upper bound of its 95 % interval
-- column: value_outside_base number currency  sum of the values of deliveries outside the base; not in total_value
-- column: suppressed boolean  whether the mean is null because of min_n
-- column: reason text  why the mean is null: few (under min_n), no_base, uncovered (more converted than base_n)
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
\if :{?base} \else \set base auto \endif
\if :{?min_n} \else \set min_n 30 \endif
select by_columns, by_order from afterpush.report_by(:'by') \gset
with chosen as materialized (
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
        by_time => string_to_array(:'by', ',') && array['day', 'hour'],
        app_version => nullif(:'app_version', '')
    ) as bases
),
counted as materialized (
    select campaign_id, category_id, variant, platform, day, hour, app_version, base, base_n
    from afterpush.report_counts(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        :'by',
        :'tz',
        only_app_version => nullif(:'app_version', '')
    )
),
valued as materialized (
    select *
    from afterpush.report_values(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        :'by',
        :'tz',
        only_app_version => nullif(:'app_version', '')
    )
),
summed as (
    select
        c.*,
        k.currency,
        coalesce(v.deliveries, 0) as deliveries,
        coalesce(v.value, 0) as value,
        coalesce(v.squares, 0) as squares,
        coalesce(v.value_outside_base, 0) as value_outside_base
    from counted as c
    cross join (select distinct currency from valued) as k
    left join valued as v
        on (v.campaign_id, v.category_id, v.variant, v.platform, v.day, v.hour, v.app_version, v.currency)
        is not distinct from (
            c.campaign_id, c.category_id, c.variant, c.platform, c.day, c.hour, c.app_version, k.currency
        )
)
select
    :by_columns
    currency,
    base,
    base_n,
    deliveries as converted_with_value,
    trim_scale(value) as total_value,
    trim_scale(afterpush.mean_value(value, deliveries, base_n, :'min_n')) as value_per_delivery,
    afterpush.mean_value(value, deliveries, base_n, :'min_n')
        - afterpush.mean_value_margin(value, squares, deliveries, base_n, :'min_n') as value_per_delivery_low,
    afterpush.mean_value(value, deliveries, base_n, :'min_n')
        + afterpush.mean_value_margin(value, squares, deliveries, base_n, :'min_n') as value_per_delivery_high,
    trim_scale(value_outside_base) as value_outside_base,
    afterpush.suppressed(:'min_n', base_n) as suppressed,
    afterpush.missing_rates(:'min_n', base_n, array[deliveries], array[base_n]) as reason
from summed
order by :by_order, currency nulls last;
