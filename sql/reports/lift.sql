-- title: Lift
-- description: What a campaign added: how many of the devices that it was sent to did something afterwards, ordered or
--   opened the app, compared with devices that were held out by a random choice. An outcome is a converted event that
--   names no notification, or app_opened. Treated are deliveries that were sent or refused, whatever became of them. The
--   verdict and the anytime columns hold however often you look; difference_low, difference_high and p are right for one
--   look that was planned beforehand. Devices are clusters, as in experiment. A campaign is listed if it declares a
--   holdout or has held out deliveries. Deliveries of erased devices, and of hours whose events retention may have
--   deleted, are left out.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: outcome text  only this outcome; empty for the hundred that most deliveries of a campaign have
-- parameter: window duration  how long after its anchor a delivery's device can have the outcome; at most a century
-- parameter: currency text  only this currency of value_added, such as EUR; empty for each that outcomes state, a row
--   each
-- parameter: verified boolean  count only what verified events show, outcomes included
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- parameter: margin number 0..1  largest difference that makes no difference: within it, the verdict is equivalent
-- column: campaign_id text  campaign
-- column: outcome text  name of the outcome; null for outcomes without a name, and if there is none
-- column: treated_n integer deliveries  deliveries that were sent or refused
-- column: treated_outcomes integer deliveries  those of them whose device has the outcome within the window
-- column: treated_rate number ratio  treated_outcomes over treated_n
-- column: treated_rate_low number ratio  lower bound of its 95 % interval
-- column: treated_rate_high number ratio  upper bound of its 95 % interval
-- column: holdout_n integer deliveries  deliveries that were held out
-- column: holdout_outcomes integer deliveries  those of them whose device has the outcome within the window
-- column: holdout_rate number ratio  holdout_outcomes over holdout_n
-- column: holdout_rate_low number ratio  lower bound of its 95 % interval
-- column: holdout_rate_high number ratio  upper bound of its 95 % interval
-- column: difference number ratio  treated_rate less holdout_rate
-- column: difference_low number ratio  lower bound of its 95 % interval (Newcombe), for one planned look
-- column: difference_high number ratio  upper bound of its 95 % interval (Newcombe), for one planned look
-- column: difference_low_anytime number ratio  lower bound of its 95 % interval that holds at every look
-- column: difference_high_anytime number ratio  upper bound of its 95 % interval that holds at every look
-- column: p number  two-sided p of equal rates (pooled two-proportion test), for one planned look
-- column: p_anytime number  p of equal rates that holds at every look
-- column: added number deliveries  difference times treated_n: deliveries whose device has the outcome because of it
-- column: added_low number deliveries  lower bound of its 95 % interval, for one planned look
-- column: added_high number deliveries  upper bound of its 95 % interval, for one planned look
-- column: added_low_anytime number deliveries  lower bound of its 95 % interval that holds at every look
-- column: added_high_anytime number deliveries  upper bound of its 95 % interval that holds at every look
-- column: currency text  currency of the values, as an ISO 4217 code; null if no outcome states a value. The other
--   columns before it are the same in each row of an outcome
-- column: treated_value_per_delivery number currency  value of the outcomes of treated deliveries over treated_n
-- column: holdout_value_per_delivery number currency  value of the outcomes of held out deliveries over holdout_n
-- column: value_added number currency  difference of the two times treated_n: the value that the campaign added
-- column: value_added_low number currency  lower bound of its 95 % interval (Welch), for one planned look
-- column: value_added_high number currency  upper bound of its 95 % interval (Welch), for one planned look
-- column: sample_ratio_p_anytime number  p of holdout_n and treated_n against the declared holdout; holds at every look
-- column: verdict text  better, worse, equivalent, waiting, undecided or sample_ratio_mismatch; holds at every look
-- column: devices integer  devices of both
-- column: deliveries_per_device number  deliveries of both per device
-- column: treated_design_effect number  design effect of treated_rate
-- column: holdout_design_effect number  design effect of holdout_rate
-- column: verified_share number ratio  share of the outcomes' events that are verified; null without outcomes
-- column: reason text  why a rate is null: few (under min_n) or no_base (no delivery)
-- column: suppressed boolean  whether a rate is null because of min_n
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?outcome} \else \set outcome '' \endif
\if :{?window} \else \set window 7d \endif
\if :{?currency} \else \set currency '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?min_n} \else \set min_n 30 \endif
\if :{?margin} \else \set margin 0.01 \endif
with counted as materialized (
    select *
    from afterpush.report_outcomes(
        :'app',
        afterpush.report_hour(:'from', :'tz'),
        afterpush.report_hour(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'outcome', ''),
        -- At most a century, so that PostgreSQL's times can hold the end of the window.
        extract(epoch from least((:'window')::interval, interval '36500 days')) * interval '1 second',
        :'verified'::boolean,
        upper(nullif(:'currency', ''))
    )
),
compared as materialized (
    select
        counted.*,
        c.holdout,
        coalesce(c.planned_deliveries, 10000) as planned,
        -- Null if the arms are not compared: the functions of them are then null, too.
        case when least(treated_n, holdout_n) >= greatest(:'min_n'::bigint, 1) then treated_outcomes end as treated_k,
        case when least(treated_n, holdout_n) >= greatest(:'min_n'::bigint, 1) then holdout_outcomes end as holdout_k,
        least(treated_n, holdout_n) < greatest(:'min_n'::bigint, 1)
            or treated_closed * 2 < treated_n
            or holdout_closed * 2 < holdout_n as is_waiting
    from counted
    left join (
        select c.campaign_id, c.planned_deliveries, c.holdout
        from afterpush.campaigns as c
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
    ) as c using (campaign_id)
),
tested as materialized (
    select
        *,
        afterpush.difference(treated_k, treated_n, holdout_k, holdout_n) as difference,
        afterpush.difference_low(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect
        ) as difference_low,
        afterpush.difference_high(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect
        ) as difference_high,
        afterpush.difference_low_anytime(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect, planned, 1
        ) as difference_low_anytime,
        afterpush.difference_high_anytime(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect, planned, 1
        ) as difference_high_anytime,
        afterpush.two_proportion_p(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect
        ) as p,
        afterpush.p_anytime(
            treated_k, treated_n, holdout_k, holdout_n, treated_effect, holdout_effect, planned, 1
        ) as p_anytime,
        afterpush.sample_ratio_p_anytime(
            array[holdout_n, treated_n],
            array[holdout, 1 - holdout],
            coalesce(
                afterpush.sample_ratio_design_effect(
                    holdout_n + treated_n, array[share_variance, share_variance], array[holdout, 1 - holdout]
                ),
                1
            )
        ) as sample_ratio_p_anytime,
        case
            when least(treated_n, holdout_n) >= greatest(:'min_n'::bigint, 1)
            then treated_value - holdout_value * treated_n / holdout_n
        end as value_added,
        -- Half the width of the interval of value_added.
        treated_n * afterpush.welch_margin(
            afterpush.value_variance(treated_value, treated_squares, treated_n)::double precision,
            treated_n / treated_value_effect,
            afterpush.value_variance(holdout_value, holdout_squares, holdout_n)::double precision,
            holdout_n / holdout_value_effect
        ) as value_margin
    from compared
)
select
    campaign_id,
    outcome,
    treated_n,
    treated_outcomes,
    afterpush.rate(treated_outcomes, treated_n, :'min_n') as treated_rate,
    afterpush.rate_low(treated_outcomes, treated_n, :'min_n', treated_effect) as treated_rate_low,
    afterpush.rate_high(treated_outcomes, treated_n, :'min_n', treated_effect) as treated_rate_high,
    holdout_n,
    holdout_outcomes,
    afterpush.rate(holdout_outcomes, holdout_n, :'min_n') as holdout_rate,
    afterpush.rate_low(holdout_outcomes, holdout_n, :'min_n', holdout_effect) as holdout_rate_low,
    afterpush.rate_high(holdout_outcomes, holdout_n, :'min_n', holdout_effect) as holdout_rate_high,
    difference,
    difference_low,
    difference_high,
    difference_low_anytime,
    difference_high_anytime,
    p,
    p_anytime,
    difference * treated_n as added,
    difference_low * treated_n as added_low,
    difference_high * treated_n as added_high,
    difference_low_anytime * treated_n as added_low_anytime,
    difference_high_anytime * treated_n as added_high_anytime,
    currency,
    trim_scale(afterpush.mean_value(treated_value, treated_outcomes, treated_n, :'min_n')) as treated_value_per_delivery,
    trim_scale(afterpush.mean_value(holdout_value, holdout_outcomes, holdout_n, :'min_n')) as holdout_value_per_delivery,
    trim_scale(value_added) as value_added,
    value_added - value_margin as value_added_low,
    value_added + value_margin as value_added_high,
    sample_ratio_p_anytime,
    afterpush.experiment_verdict(
        sample_ratio_p_anytime, difference_low_anytime, difference_high_anytime, :'margin', is_waiting
    ) as verdict,
    devices,
    (treated_n + holdout_n)::double precision / devices as deliveries_per_device,
    treated_effect as treated_design_effect,
    holdout_effect as holdout_design_effect,
    afterpush.rate(verified_events, outcome_events, 1) as verified_share,
    afterpush.missing_rates(
        :'min_n', least(treated_n, holdout_n), array[treated_outcomes, holdout_outcomes], array[treated_n, holdout_n]
    ) as reason,
    afterpush.suppressed(:'min_n', treated_n, holdout_n) as suppressed
from tested
order by campaign_id collate "C", outcome collate "C" nulls last, currency collate "C";
