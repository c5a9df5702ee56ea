-- title: Experiment
-- description: The variants of each campaign against its control: conversion, the difference with Newcombe's
--   interval, a two-sided test adjusted for the number of variants by Holm's method, whether the variants were sent
--   as their weights say, and how many deliveries per variant it takes to show the difference seen (80 % power at 5
--   %). The control is the declared one, else the variant that comes first by name. Deliveries without a variant take
--   no part.
-- parameter: from time  first anchor hour counted; empty: no bound
-- parameter: to time  first anchor hour not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only what verified events show
-- parameter: per text auto|sent|confirmed  base of the rates; auto is sent if there are sends, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than these is left out
-- column: campaign_id text  campaign
-- column: variant text  variant
-- column: control boolean  whether the others are compared with it
-- column: base text  what base_n counts: sent, confirmed or none
-- column: base_n integer deliveries  the base of the rate
-- column: converted integer deliveries  acted with a goal action, or with a converted event
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
-- column: suppressed boolean  whether min_n left the rate out
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?per} \else \set per auto \endif
\if :{?min_n} \else \set min_n 30 \endif
with facts as (
    select f.*
    from afterpush.report_facts(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'per',
        ''
    ) as f
    where f.campaign_id <> ''
      and f.variant <> ''
    -- So that each value is computed once, however many sums it is in.
    offset 0
),
counted as (
    select
        campaign_id,
        variant,
        max(base) as base,
        sum(base_count)::bigint as base_n,
        sum(converted)::bigint as converted,
        coalesce(sum(converted) filter (where in_base), 0)::bigint as converted_base,
        sum(sends)::bigint as sends,
        sum(confirmed)::bigint as confirmed
    from facts
    group by campaign_id, variant
),
declared as (
    select v.campaign_id, v.variant, v.weight, v.control
    from afterpush.campaign_variants as v
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (:'campaign' = '' or v.campaign_id = :'campaign')
      -- A campaign that nothing is selected of is no experiment of this selection.
      and exists (select from counted as c where c.campaign_id = v.campaign_id)
),
variants as (
    select
        campaign_id,
        variant,
        d.weight,
        row_number() over (
            partition by campaign_id
            order by coalesce(d.control, false) desc, variant
        ) = 1 as control,
        coalesce(c.base, (select max(base) from counted), 'none') as base,
        coalesce(c.base_n, 0) as base_n,
        coalesce(c.converted, 0) as converted,
        coalesce(c.converted_base, 0) as converted_base,
        coalesce(c.sends, 0) as sends,
        coalesce(c.confirmed, 0) as confirmed
    from counted as c
    full join declared as d using (campaign_id, variant)
),
compared as (
    select
        v.*,
        o.base_n as control_n,
        o.converted_base as control_converted,
        v.base_n >= :'min_n'::bigint and o.base_n >= :'min_n'::bigint
            and v.converted_base <= v.base_n and o.converted_base <= o.base_n and not v.control as is_compared,
        case
            when sum(v.sends) over w > 0
            then afterpush.sample_ratio_p(
                array_agg(v.sends) filter (where v.weight is not null) over w,
                array_agg(v.weight) filter (where v.weight is not null) over w
            )
            else afterpush.sample_ratio_p(
                array_agg(v.confirmed) filter (where v.weight is not null) over w,
                array_agg(v.weight) filter (where v.weight is not null) over w
            )
        end as sample_ratio_p
    from variants as v
    join variants as o on o.campaign_id = v.campaign_id and o.control
    window w as (partition by v.campaign_id)
),
tested as (
    select
        *,
        case
            when is_compared
            then afterpush.two_proportion_p(converted_base, base_n, control_converted, control_n)
        end as p
    from compared
)
select
    campaign_id,
    variant,
    control,
    base,
    base_n,
    converted,
    afterpush.rate(converted_base, base_n, :'min_n') as conversion_rate,
    afterpush.rate_low(converted_base, base_n, :'min_n') as conversion_rate_low,
    afterpush.rate_high(converted_base, base_n, :'min_n') as conversion_rate_high,
    case
        when is_compared
        then converted_base::double precision / base_n - control_converted::double precision / control_n
    end as difference,
    case
        when is_compared then afterpush.difference_low(converted_base, base_n, control_converted, control_n)
    end as difference_low,
    case
        when is_compared then afterpush.difference_high(converted_base, base_n, control_converted, control_n)
    end as difference_high,
    p,
    p_holm,
    sample_ratio_p,
    case
        when is_compared
        then afterpush.n_needed(
            converted_base::double precision / base_n, control_converted::double precision / control_n
        )
    end as n_needed,
    afterpush.suppressed(:'min_n', base_n) as suppressed
from tested
left join lateral (
    select h.p_holm
    from (
        select array_agg(t.variant order by t.variant) as names, afterpush.holm(array_agg(t.p order by t.variant)) as ps
        from tested as t
        where t.campaign_id = tested.campaign_id
    ) as campaign
    cross join unnest(campaign.names, campaign.ps) as h (variant, p_holm)
    where h.variant = tested.variant
) as h on true
order by campaign_id, control desc, variant;
