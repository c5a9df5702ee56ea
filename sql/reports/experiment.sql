-- title: Experiment
-- description: The variants of each campaign against its control: conversion, the difference with Newcombe's interval,
--   a two-sided test adjusted for the number of variants by Holm's method, a check of the sample ratio, and the number
--   of deliveries per variant that is needed to show the difference seen (80 % power at 5 %). The control is the
--   declared one, else the first declared variant by name, else the first variant. A declared variant has a row even
--   without deliveries. Deliveries without a variant are left out.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only states that verified events show
-- parameter: base text auto|sent|confirmed  base of the rates; auto takes sent if there are sends, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- column: campaign_id text  campaign
-- column: variant text  variant
-- column: control boolean  whether it is the control, with which the others are compared
-- column: base text  what base_n counts: sent, confirmed or none
-- column: base_n integer deliveries  the base of the rate
-- column: converted integer deliveries  acted with a goal action, or a converted event
-- column: conversion_rate number ratio  converted within the base, over base_n
-- column: conversion_rate_low number ratio  lower bound of its 95 % interval
-- column: conversion_rate_high number ratio  upper bound of its 95 % interval
-- column: difference number ratio  conversion_rate less the control's
-- column: difference_low number ratio  lower bound of its 95 % interval (Newcombe)
-- column: difference_high number ratio  upper bound of its 95 % interval (Newcombe)
-- column: p number  two-sided p of equal rates (pooled two-proportion test)
-- column: p_holm number  p, adjusted for the campaign's variants by Holm's method
-- column: sample_ratio_p number  chi-square p of the variants' sends (else confirmations) against their weights
-- column: n_needed integer deliveries  deliveries per variant that show this difference with 80 % power at 5 %
-- column: suppressed boolean  whether the rate is null because of min_n
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?base} \else \set base auto \endif
\if :{?min_n} \else \set min_n 30 \endif
with facts as materialized (
    select *
    from afterpush.report_counts(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'base',
        'campaign,variant',
        :'tz',
        closing => false
    )
),
counted as (
    select campaign_id, coalesce(variant, '') as variant, base_n, converted, converted_base, sent as sends, confirmed
    from facts
    where campaign_id is not null
),
-- A campaign without selected deliveries is listed if the report asks for it, or if nothing narrows the selection.
declared as (
    select v.campaign_id, v.variant, v.weight, v.control
    from afterpush.campaign_variants as v
    join afterpush.campaigns as c using (app_id, campaign_id)
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (:'campaign' = '' or v.campaign_id = :'campaign')
      and (
          v.campaign_id in (select campaign_id from counted)
          or :'campaign' <> ''
          or (:'from' = '' and :'to' = '' and :'category' = '' and :'platform' = '' and c.archived_at is null)
      )
),
variants as (
    select
        campaign_id,
        variant,
        d.weight,
        d.control,
        coalesce(c.base_n, 0) as base_n,
        coalesce(c.converted, 0) as converted,
        coalesce(c.converted_base, 0) as converted_base,
        coalesce(c.sends, 0) as sends,
        coalesce(c.confirmed, 0) as confirmed
    from (select * from counted where variant <> '') as c
    full join declared as d using (campaign_id, variant)
),
ratios as (
    select
        campaign_id,
        afterpush.sample_ratio_p(
            case
                when sum(sends) > 0 then array_agg(sends order by variant)
                else array_agg(confirmed order by variant)
            end,
            array_agg(weight order by variant)
        ) as sample_ratio_p
    from variants
    where weight is not null
    group by campaign_id
),
compared as (
    select
        *,
        not is_control
            and least(base_n, control_n) >= greatest(:'min_n'::bigint, 1)
            and converted_base <= base_n
            and control_converted <= control_n as is_compared
    from (
        select
            *,
            row_number() over first_is_control = 1 as is_control,
            first_value(base_n) over first_is_control as control_n,
            first_value(converted_base) over first_is_control as control_converted
        from variants
        window first_is_control as (partition by campaign_id order by control desc nulls last, variant)
    ) as v
),
tested as materialized (
    select
        campaign_id,
        variant,
        afterpush.difference(converted_base, base_n, control_converted, control_n) as difference,
        afterpush.difference_low(converted_base, base_n, control_converted, control_n) as difference_low,
        afterpush.difference_high(converted_base, base_n, control_converted, control_n) as difference_high,
        afterpush.two_proportion_p(converted_base, base_n, control_converted, control_n) as p,
        afterpush.n_needed(
            converted_base::double precision / base_n, control_converted::double precision / control_n
        ) as n_needed
    from compared
    where is_compared
),
adjusted as (
    select
        campaign_id,
        unnest(array_agg(variant order by variant)) as variant,
        unnest(afterpush.holm(array_agg(p order by variant))) as p_holm
    from tested
    group by campaign_id
)
select
    campaign_id,
    variant,
    is_control as control,
    coalesce((select max(base) from facts), case :'base' when 'auto' then 'none' else :'base' end) as base,
    base_n,
    converted,
    afterpush.rate(converted_base, base_n, :'min_n') as conversion_rate,
    afterpush.rate_low(converted_base, base_n, :'min_n') as conversion_rate_low,
    afterpush.rate_high(converted_base, base_n, :'min_n') as conversion_rate_high,
    difference,
    difference_low,
    difference_high,
    p,
    p_holm,
    sample_ratio_p,
    n_needed,
    afterpush.suppressed(:'min_n', base_n) as suppressed
from compared
left join tested using (campaign_id, variant)
left join adjusted using (campaign_id, variant)
left join ratios using (campaign_id)
order by campaign_id, control desc, variant;
