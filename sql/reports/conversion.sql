-- title: Conversion
-- description: Deliveries in each state, and the rates over them with their 95 % intervals, per group. Without `by`
--   there is one row for everything. Deliveries are selected by their anchor hour, so numerators and denominators are
--   the same deliveries.
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
-- parameter: base text auto|sent|confirmed  base of the rates; auto takes for each campaign sent if its sends cover
--   half of its deliveries, else confirmed
-- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
-- parameter: within duration  count only what happened within this time after the anchor, of deliveries at least that
--   old; slower, because it reads events
-- parameter: cluster text device  intervals that take devices as clusters; not by hour or app_version
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the anchor hour's start
-- column: hour time  anchor hour
-- column: app_version text  version of the app; null if unknown
-- column: sent integer deliveries  accepted by the provider: declared sends, else deliveries in state sent
-- column: failed integer deliveries  failed event, and no sign of the delivery on the device
-- column: delivered integer deliveries  any sign of the delivery on the device
-- column: confirmed integer deliveries  confirmed by the service extension or push handler
-- column: displayed integer deliveries  shown by the app, a content extension or the browser
-- column: opened integer deliveries  responded to with the default action
-- column: acted integer deliveries  responded to with an action or text input
-- column: replied integer deliveries  responded to with text
-- column: dismissed integer deliveries  dismissed, where the platform reports it
-- column: read integer deliveries  marked as read
-- column: responded integer deliveries  opened, acted, replied or dismissed
-- column: converted integer deliveries  acted with a goal action, or a converted event
-- column: no_response integer deliveries  closed without a response: the response window has passed; without those that
--   failed or were replaced
-- column: pending integer deliveries  no response yet, and not closed; without those that failed or were replaced
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: base_n integer deliveries  the base of the rates
-- column: reply_n integer deliveries  base of deliveries whose category version offers a text action
-- column: dismiss_n integer deliveries  base of dismiss-observable deliveries, less those replaced
-- column: closed_n integer deliveries  base of closed deliveries, less those replaced
-- column: delivery_rate number ratio  delivered among the sends, over sent; by day or hour without declared sends
-- column: delivery_rate_low number ratio  lower bound of its 95 % interval
-- column: delivery_rate_high number ratio  upper bound of its 95 % interval
-- column: confirmation_coverage number ratio  confirmed among the sends, over sent; by day or hour without declared
--   sends
-- column: confirmation_coverage_low number ratio  lower bound of its 95 % interval
-- column: confirmation_coverage_high number ratio  upper bound of its 95 % interval
-- column: open_rate number ratio  opened within the base, over base_n
-- column: open_rate_low number ratio  lower bound of its 95 % interval
-- column: open_rate_high number ratio  upper bound of its 95 % interval
-- column: action_rate number ratio  acted within the base, over base_n
-- column: action_rate_low number ratio  lower bound of its 95 % interval
-- column: action_rate_high number ratio  upper bound of its 95 % interval
-- column: conversion_rate number ratio  converted within the base, over base_n
-- column: conversion_rate_low number ratio  lower bound of its 95 % interval
-- column: conversion_rate_high number ratio  upper bound of its 95 % interval
-- column: reply_rate number ratio  replied within the base, over reply_n
-- column: reply_rate_low number ratio  lower bound of its 95 % interval
-- column: reply_rate_high number ratio  upper bound of its 95 % interval
-- column: dismiss_rate number ratio  dismissed within the base, over dismiss_n
-- column: dismiss_rate_low number ratio  lower bound of its 95 % interval
-- column: dismiss_rate_high number ratio  upper bound of its 95 % interval
-- column: dismiss_coverage number ratio  dismiss-observable within the base, over base_n
-- column: dismiss_coverage_low number ratio  lower bound of its 95 % interval
-- column: dismiss_coverage_high number ratio  upper bound of its 95 % interval
-- column: read_rate number ratio  read within the base, over base_n
-- column: read_rate_low number ratio  lower bound of its 95 % interval
-- column: read_rate_high number ratio  upper bound of its 95 % interval
-- column: no_response_rate number ratio  closed without a response within the base, over closed_n
-- column: no_response_rate_low number ratio  lower bound of its 95 % interval
-- column: no_response_rate_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether a rate is null because of min_n
-- column: reason text  why a rate is null: no_base, few (a denominator under min_n), uncovered (a numerator above its
--   denominator)
-- column: design_effect number  with cluster=device, by how much the likeness within devices multiplies the variance of
--   conversion_rate, at least 1
-- column: devices integer  with cluster=device, devices of the base; above 10,000 deliveries estimated from a sixteenth of
--   the devices
-- column: deliveries_per_device number  with cluster=device, deliveries of the base per device
-- column: response_rate number ratio  responded within the base, over base_n
-- column: response_rate_low number ratio  lower bound of its 95 % interval
-- column: response_rate_high number ratio  upper bound of its 95 % interval
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
\if :{?within} \else \set within '' \endif
\if :{?cluster} \else \set cluster '' \endif
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
counted as (
    select *
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
        within => nullif(:'within', '')::interval,
        only_app_version => nullif(:'app_version', '')
    )
),
-- The same deliveries by device bucket, and how much each rate varies between these.
effects as materialized (
    select
        campaign_id, category_id, variant, platform, day,
        afterpush.packed_design_effect(sent, delivered_sent) as delivered,
        afterpush.packed_design_effect(sent, confirmed_sent) as confirmed,
        afterpush.packed_design_effect(base_n, responded) as responded,
        afterpush.packed_design_effect(base_n, opened) as opened,
        afterpush.packed_design_effect(base_n, acted) as acted,
        afterpush.packed_design_effect(base_n, converted) as converted,
        afterpush.packed_design_effect(reply_n, replied) as replied,
        afterpush.packed_design_effect(dismiss_n, dismissed) as dismissed,
        afterpush.packed_design_effect(base_n, observable_n) as observable,
        afterpush.packed_design_effect(base_n, read) as read,
        afterpush.packed_design_effect(closed_n, no_response) as no_response
    from afterpush.report_device_buckets(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_ripe_until(
            :'app', afterpush.report_time(:'to', :'tz'), nullif(:'within', '')::interval
        ),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        -- An app version is refused in `by`, and as a filter as well.
        case when :'app_version' = '' then :'by' else 'app_version' end
    )
    where :'cluster' = 'device'
),
devices as materialized (
    select campaign_id, category_id, variant, platform, day, devices, deliveries_per_device
    from afterpush.report_devices(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_ripe_until(
            :'app', afterpush.report_time(:'to', :'tz'), nullif(:'within', '')::interval
        ),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        (select bases from chosen),
        :'by',
        :'tz'
    )
    where :'cluster' = 'device'
),
-- The design effects of each group; 1 unless devices are clusters.
clustered as (
    select
        c.*,
        coalesce(e.delivered, 1) as delivered_effect,
        coalesce(e.confirmed, 1) as confirmed_effect,
        coalesce(e.responded, 1) as responded_effect,
        coalesce(e.opened, 1) as opened_effect,
        coalesce(e.acted, 1) as acted_effect,
        coalesce(e.converted, 1) as converted_effect,
        coalesce(e.replied, 1) as replied_effect,
        coalesce(e.dismissed, 1) as dismissed_effect,
        coalesce(e.observable, 1) as observable_effect,
        coalesce(e.read, 1) as read_effect,
        coalesce(e.no_response, 1) as no_response_effect,
        devices, deliveries_per_device
    from counted as c
    left join effects as e
        on (e.campaign_id, e.category_id, e.variant, e.platform, e.day)
        is not distinct from (c.campaign_id, c.category_id, c.variant, c.platform, c.day)
    left join devices as d
        on (d.campaign_id, d.category_id, d.variant, d.platform, d.day)
        is not distinct from (c.campaign_id, c.category_id, c.variant, c.platform, c.day)
)
select
    :by_columns
    sent,
    failed,
    delivered,
    confirmed,
    displayed,
    opened,
    acted,
    replied,
    dismissed,
    read,
    responded,
    converted,
    no_response,
    pending,
    base,
    base_n,
    reply_n,
    dismiss_n,
    closed_n,
    afterpush.rate(delivered_sent, sent_base, :'min_n') as delivery_rate,
    afterpush.rate_low(delivered_sent, sent_base, :'min_n', delivered_effect) as delivery_rate_low,
    afterpush.rate_high(delivered_sent, sent_base, :'min_n', delivered_effect) as delivery_rate_high,
    afterpush.rate(confirmed_sent, sent_base, :'min_n') as confirmation_coverage,
    afterpush.rate_low(confirmed_sent, sent_base, :'min_n', confirmed_effect) as confirmation_coverage_low,
    afterpush.rate_high(confirmed_sent, sent_base, :'min_n', confirmed_effect) as confirmation_coverage_high,
    afterpush.rate(opened_base, base_n, :'min_n') as open_rate,
    afterpush.rate_low(opened_base, base_n, :'min_n', opened_effect) as open_rate_low,
    afterpush.rate_high(opened_base, base_n, :'min_n', opened_effect) as open_rate_high,
    afterpush.rate(acted_base, base_n, :'min_n') as action_rate,
    afterpush.rate_low(acted_base, base_n, :'min_n', acted_effect) as action_rate_low,
    afterpush.rate_high(acted_base, base_n, :'min_n', acted_effect) as action_rate_high,
    afterpush.rate(converted_base, base_n, :'min_n') as conversion_rate,
    afterpush.rate_low(converted_base, base_n, :'min_n', converted_effect) as conversion_rate_low,
    afterpush.rate_high(converted_base, base_n, :'min_n', converted_effect) as conversion_rate_high,
    afterpush.rate(replied_base, reply_n, :'min_n') as reply_rate,
    afterpush.rate_low(replied_base, reply_n, :'min_n', replied_effect) as reply_rate_low,
    afterpush.rate_high(replied_base, reply_n, :'min_n', replied_effect) as reply_rate_high,
    afterpush.rate(dismissed_base, dismiss_n, :'min_n') as dismiss_rate,
    afterpush.rate_low(dismissed_base, dismiss_n, :'min_n', dismissed_effect) as dismiss_rate_low,
    afterpush.rate_high(dismissed_base, dismiss_n, :'min_n', dismissed_effect) as dismiss_rate_high,
    afterpush.rate(observable_n, base_n, :'min_n') as dismiss_coverage,
    afterpush.rate_low(observable_n, base_n, :'min_n', observable_effect) as dismiss_coverage_low,
    afterpush.rate_high(observable_n, base_n, :'min_n', observable_effect) as dismiss_coverage_high,
    afterpush.rate(read_base, base_n, :'min_n') as read_rate,
    afterpush.rate_low(read_base, base_n, :'min_n', read_effect) as read_rate_low,
    afterpush.rate_high(read_base, base_n, :'min_n', read_effect) as read_rate_high,
    afterpush.rate(closed_n - responded_closed - refused_closed, closed_n, :'min_n') as no_response_rate,
    afterpush.rate_low(
        closed_n - responded_closed - refused_closed, closed_n, :'min_n', no_response_effect
    ) as no_response_rate_low,
    afterpush.rate_high(
        closed_n - responded_closed - refused_closed, closed_n, :'min_n', no_response_effect
    ) as no_response_rate_high,
    afterpush.suppressed(:'min_n', sent_base, base_n, reply_n, dismiss_n, closed_n) as suppressed,
    afterpush.missing_rates(
        :'min_n',
        base_n,
        array[
            delivered_sent, confirmed_sent, responded_base, opened_base, acted_base, converted_base, observable_n,
            read_base, replied_base, dismissed_base, closed_n - responded_closed - refused_closed
        ],
        array[sent_base, sent_base, base_n, base_n, base_n, base_n, base_n, base_n, reply_n, dismiss_n, closed_n]
    ) as reason,
    case when :'cluster' = 'device' then converted_effect end as design_effect,
    case
        when :'cluster' = 'device' then coalesce(devices, round(base_n / deliveries_per_device)::bigint, 0)
    end as devices,
    deliveries_per_device,
    afterpush.rate(responded_base, base_n, :'min_n') as response_rate,
    afterpush.rate_low(responded_base, base_n, :'min_n', responded_effect) as response_rate_low,
    afterpush.rate_high(responded_base, base_n, :'min_n', responded_effect) as response_rate_high
from clustered
order by :by_order;
