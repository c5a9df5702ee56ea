-- title: Experiment
-- description: The variants of each campaign against its control: conversion and the difference, with a verdict that
--   holds however often you look. difference_low, difference_high, p and p_holm are right for one look that was planned
--   beforehand; the anytime columns and the verdict hold at every look. Deliveries of a device resemble each other, so
--   intervals and tests count devices as clusters: they use the deliveries divided by the design effect. The control
--   is the declared one, else the first declared variant by name, else the first variant. A declared variant has a row
--   even without deliveries. Deliveries without a variant are left out.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only states that verified events show
-- parameter: base text auto|sent|confirmed  base of the rates; auto takes for each campaign sent if its sends cover
--   half of its deliveries, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- parameter: within duration  count only what happened within this time after the anchor, of deliveries at least that
--   old; slower, because it reads events
-- parameter: margin number 0..1  largest difference that makes no difference: within it, variants are equivalent
-- parameter: currency text  compare the value per delivery in this currency, such as EUR; empty leaves value out
-- column: campaign_id text  campaign
-- column: variant text  variant
-- column: control boolean  whether it is the control, with which the others are compared
-- column: base text  what base_n counts: sent, confirmed or none
-- column: base_n integer deliveries  the base of the rate
-- column: converted integer deliveries  acted with a goal action, or a converted event
-- column: converted_base integer deliveries  converted within the base: the numerator of the rate
-- column: conversion_rate number ratio  converted within the base, over base_n
-- column: conversion_rate_low number ratio  lower bound of its 95 % interval
-- column: conversion_rate_high number ratio  upper bound of its 95 % interval
-- column: difference number ratio  conversion_rate less the control's
-- column: difference_low number ratio  lower bound of its 95 % interval (Newcombe), for one planned look
-- column: difference_high number ratio  upper bound of its 95 % interval (Newcombe), for one planned look
-- column: difference_low_anytime number ratio  lower bound of its 95 % interval that holds at every look
-- column: difference_high_anytime number ratio  upper bound of its 95 % interval that holds at every look
-- column: p number  two-sided p of equal rates (pooled two-proportion test), for one planned look
-- column: p_anytime number  p of equal rates that holds at every look, times the number of variants compared
-- column: p_holm number  p, adjusted for the campaign's variants by Holm's method
-- column: verdict text  better, worse, equivalent, waiting, undecided or sample_ratio_mismatch; holds at every look
-- column: sample_ratio_p number  chi-square p of the variants' sends (else confirmations) against their weights
-- column: sample_ratio_p_anytime number  the same by a test that holds at every look
-- column: n_needed integer deliveries  deliveries per variant that show the declared minimum_effect with 80 % power
-- column: detectable_effect number ratio  smallest increase over the control that this many deliveries show, 80 % power
-- column: devices integer  devices of the base; above 10,000 deliveries estimated from a sixteenth of the devices
-- column: deliveries_per_device number  deliveries of the base per device
-- column: design_effect number  by how much the likeness within devices multiplies the rate's variance, at least 1
-- column: reason text  why the rate is null: few (under min_n), no_base, uncovered (converted_base above base_n)
-- column: suppressed boolean  whether the rate is null because of min_n
-- column: converted_with_value integer deliveries  with a converted event that states a value in currency, within the base
-- column: total_value number currency  sum of their values
-- column: value_per_delivery number currency  total_value over base_n
-- column: value_per_delivery_low number currency  lower bound of its 95 % interval
-- column: value_per_delivery_high number currency  upper bound of its 95 % interval
-- column: value_difference number currency  value_per_delivery less the control's
-- column: value_difference_low number currency  lower bound of its 95 % interval (Welch), for one planned look
-- column: value_difference_high number currency  upper bound of its 95 % interval (Welch), for one planned look
-- column: value_design_effect number  by how much the likeness within devices multiplies the mean's variance, at least 1
-- column: goals_declared_late boolean  whether goals of the campaign or its categories were declared after the first
--   response to it
-- column: weights_declared_late boolean  whether weights of its variants were declared after the first response to it
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
\if :{?within} \else \set within '' \endif
\if :{?margin} \else \set margin 0.01 \endif
\if :{?currency} \else \set currency '' \endif
with chosen as materialized (
    select afterpush.report_bases(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'base'
    ) as bases
),
facts as materialized (
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
        (select bases from chosen),
        'campaign,variant',
        :'tz',
        within => nullif(:'within', '')::interval
    )
),
counted as (
    select
        campaign_id, coalesce(variant, '') as variant, base, base_n, converted, converted_base, closed_base, sent as sends,
        confirmed
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
        coalesce(c.closed_base, 0) as closed_base,
        coalesce(c.sends, 0) as sends,
        coalesce(c.confirmed, 0) as confirmed
    from (select * from counted where variant <> '') as c
    full join declared as d using (campaign_id, variant)
),
-- The same deliveries by device bucket.
buckets as materialized (
    select campaign_id, variant, sent, confirmed, base_n, converted
    from afterpush.report_device_buckets(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_ripe_until(
            :'app', afterpush.report_time(:'to', :'tz'), nullif(:'within', '')::interval
        ),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        'campaign,variant'
    )
    where campaign_id is not null
      and variant is not null
),
effects as materialized (
    select campaign_id, variant, afterpush.packed_design_effect(base_n, converted) as design_effect
    from buckets
),
-- Those of declared variants that the sample ratio counts: the campaign's sends if it has any, else its confirmations.
packed as materialized (
    select
        campaign_id, variant, weight,
        coalesce(case when sum(sends) over (partition by campaign_id) > 0 then b.sent else b.confirmed end, 0) as n
    from variants
    left join buckets as b using (campaign_id, variant)
    where weight is not null
),
-- How the shares of the declared variants vary between buckets.
shares as materialized (
    select
        campaign_id,
        afterpush.sample_ratio_design_effect(
            max((select sum(b) from unnest(all_buckets) as b))::bigint,
            array_agg(afterpush.ratio_variance(all_buckets, own_buckets) order by variant),
            array_agg(weight order by variant)
        ) as design_effect
    from (
        select campaign_id, afterpush.unpacked_buckets(sum(n)) as all_buckets
        from packed
        group by campaign_id
        offset 0
    ) as campaigns
    join (
        select campaign_id, variant, weight, afterpush.unpacked_buckets(n) as own_buckets
        from packed
        offset 0
    ) as variants using (campaign_id)
    group by campaign_id
),
ratios as materialized (
    select
        campaign_id,
        afterpush.sample_ratio_p(counts, weights, coalesce(design_effect, 1)) as sample_ratio_p,
        afterpush.sample_ratio_p_anytime(counts, weights, coalesce(design_effect, 1)) as sample_ratio_p_anytime
    from (
        select
            campaign_id,
            case
                when sum(sends) > 0 then array_agg(sends order by variant)
                else array_agg(confirmed order by variant)
            end as counts,
            array_agg(weight order by variant) as weights
        from variants
        where weight is not null
        group by campaign_id
    ) as counts
    left join shares using (campaign_id)
),
compared as materialized (
    select
        *,
        -- All declared variants, from the first look on: with as many as are compared now, the level would change.
        greatest(
            count(*) filter (where is_compared) over (partition by campaign_id),
            count(*) filter (where weight is not null and not is_control) over (partition by campaign_id)
        )::integer as comparisons
    from (
        select
            *,
            not is_control
                and least(base_n, control_n) >= greatest(:'min_n'::bigint, 1)
                and converted_base <= base_n
                and control_converted <= control_n as is_compared,
            least(base_n, control_n) < greatest(:'min_n'::bigint, 1)
                or closed_base * 2 < base_n
                or control_closed * 2 < control_n as is_waiting
        from (
            select
                *,
                row_number() over first_is_control = 1 as is_control,
                first_value(base_n) over first_is_control as control_n,
                first_value(converted_base) over first_is_control as control_converted,
                first_value(closed_base) over first_is_control as control_closed,
                first_value(design_effect) over first_is_control as control_effect
            from (
                select variants.*, coalesce(design_effect, 1) as design_effect
                from variants
                left join effects using (campaign_id, variant)
            ) as v
            window first_is_control as (partition by campaign_id order by control desc nulls last, variant)
        ) as v
    ) as v
),
tested as materialized (
    select
        t.campaign_id,
        variant,
        afterpush.difference(converted_base, base_n, control_converted, control_n) as difference,
        afterpush.difference_low(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect
        ) as difference_low,
        afterpush.difference_high(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect
        ) as difference_high,
        afterpush.difference_low_anytime(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect,
            coalesce(c.planned_deliveries, 10000), comparisons
        ) as difference_low_anytime,
        afterpush.difference_high_anytime(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect,
            coalesce(c.planned_deliveries, 10000), comparisons
        ) as difference_high_anytime,
        afterpush.two_proportion_p(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect
        ) as p,
        afterpush.p_anytime(
            converted_base, base_n, control_converted, control_n, design_effect, control_effect,
            coalesce(c.planned_deliveries, 10000), comparisons
        ) as p_anytime,
        -- Independent deliveries, times the design effect of both variants together.
        ceil(
            afterpush.n_needed(
                control_converted::double precision / control_n + c.minimum_effect,
                control_converted::double precision / control_n
            )
            * ((base_n + control_n) / (base_n / design_effect + control_n / control_effect))
        )::bigint as n_needed,
        afterpush.detectable_effect(
            base_n, control_converted, control_n, design_effect, control_effect
        ) as detectable_effect
    from compared as t
    left join (
        select c.campaign_id, c.planned_deliveries, c.minimum_effect
        from afterpush.campaigns as c
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
    ) as c using (campaign_id)
    where is_compared
),
-- The values of the base in the currency. Without one, nothing is read.
valued as materialized (
    select campaign_id, variant, deliveries, value, squares
    from afterpush.report_values(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        'campaign,variant',
        :'tz'
    )
    where :'currency' <> ''
      and :'within' = ''
      and currency = upper(:'currency')
    union all
    select campaign_id, variant, deliveries, value, squares
    from afterpush.report_values_within(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        upper(:'currency'),
        nullif(:'within', '')::interval
    )
    where :'currency' <> ''
      and :'within' <> ''
),
-- The same values by device bucket, of the days that the device buckets are counted for.
value_effects as materialized (
    select
        campaign_id, variant,
        afterpush.value_design_effect(b.base_n, v.buckets, v.bucket_values, v.squares) as value_design_effect
    from afterpush.report_values(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_ripe_until(
            :'app', afterpush.report_time(:'to', :'tz'), nullif(:'within', '')::interval
        ),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        'campaign,variant',
        :'tz',
        true
    ) as v
    join buckets as b using (campaign_id, variant)
    where :'currency' <> ''
      and v.currency = upper(:'currency')
),
means as materialized (
    select
        *,
        case
            when not is_control then value_per_delivery - first_value(value_per_delivery) over first_is_control
        end as value_difference,
        afterpush.welch_margin(
            value_variance, base_n / value_design_effect,
            first_value(value_variance) over first_is_control,
            first_value(base_n / value_design_effect) over first_is_control
        ) as value_difference_margin
    from (
        select
            campaign_id, variant, is_control, base_n, value, squares, deliveries,
            afterpush.mean_value(value, deliveries, base_n, :'min_n') as value_per_delivery,
            afterpush.value_variance(value, squares, base_n)::double precision as value_variance,
            value_design_effect
        from (
            select
                campaign_id, variant, is_control, base_n,
                coalesce(v.value, 0) as value,
                coalesce(v.squares, 0) as squares,
                coalesce(v.deliveries, 0) as deliveries,
                coalesce(e.value_design_effect, 1) as value_design_effect
            from compared
            left join valued as v using (campaign_id, variant)
            left join value_effects as e using (campaign_id, variant)
            where :'currency' <> ''
        ) as summed
    ) as m
    window first_is_control as (partition by campaign_id order by is_control desc)
),
adjusted as materialized (
    select
        campaign_id,
        unnest(array_agg(variant order by variant)) as variant,
        unnest(afterpush.holm(array_agg(p order by variant))) as p_holm
    from tested
    group by campaign_id
),
devices as materialized (
    select campaign_id, variant, devices, deliveries_per_device
    from afterpush.report_devices(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_ripe_until(
            :'app', afterpush.report_time(:'to', :'tz'), nullif(:'within', '')::interval
        ),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        null,
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        'campaign,variant',
        :'tz'
    )
),
late as materialized (
    select
        campaign_id,
        afterpush.goals_declared_late(:'app', campaign_id, :'verified'::boolean) as goals_declared_late,
        afterpush.weights_declared_late(:'app', campaign_id, :'verified'::boolean) as weights_declared_late
    from (select distinct campaign_id from compared) as c
)
select
    campaign_id,
    variant,
    is_control as control,
    coalesce(b.base, case :'base' when 'auto' then 'none' else :'base' end) as base,
    base_n,
    converted,
    converted_base,
    afterpush.rate(converted_base, base_n, :'min_n') as conversion_rate,
    afterpush.rate_low(converted_base, base_n, :'min_n', design_effect) as conversion_rate_low,
    afterpush.rate_high(converted_base, base_n, :'min_n', design_effect) as conversion_rate_high,
    difference,
    difference_low,
    difference_high,
    difference_low_anytime,
    difference_high_anytime,
    p,
    p_anytime,
    p_holm,
    case
        when not is_control then afterpush.experiment_verdict(
            sample_ratio_p_anytime, difference_low_anytime, difference_high_anytime, :'margin', is_waiting
        )
    end as verdict,
    sample_ratio_p,
    sample_ratio_p_anytime,
    n_needed,
    detectable_effect,
    coalesce(devices, round(base_n / deliveries_per_device)::bigint, 0) as devices,
    deliveries_per_device,
    design_effect,
    afterpush.missing_rates(:'min_n', base_n, array[converted_base], array[base_n]) as reason,
    afterpush.suppressed(:'min_n', base_n) as suppressed,
    deliveries as converted_with_value,
    trim_scale(value) as total_value,
    trim_scale(value_per_delivery) as value_per_delivery,
    value_per_delivery - value_margin as value_per_delivery_low,
    value_per_delivery + value_margin as value_per_delivery_high,
    trim_scale(value_difference) as value_difference,
    value_difference - value_difference_margin as value_difference_low,
    value_difference + value_difference_margin as value_difference_high,
    value_design_effect,
    goals_declared_late,
    weights_declared_late
from compared
left join tested using (campaign_id, variant)
left join adjusted using (campaign_id, variant)
left join ratios using (campaign_id)
left join devices using (campaign_id, variant)
left join (select distinct campaign_id, base from counted) as b using (campaign_id)
left join (
    select
        campaign_id, variant, deliveries, value, value_per_delivery, value_difference, value_difference_margin,
        value_design_effect,
        afterpush.mean_value_margin(
            value, squares, deliveries, base_n, :'min_n', value_design_effect
        ) as value_margin
    from means
) as m using (campaign_id, variant)
left join late using (campaign_id)
order by campaign_id, control desc, variant;
