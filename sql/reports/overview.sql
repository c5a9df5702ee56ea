-- title: Overview
-- description: Key metrics, each with its change against the preceding period of the same length, if from and to
--   are given. The two are compared at equal age: of both, what happened up to within_seconds after the anchor, of
--   deliveries at least that old. That reads deliveries and events, so of more than 50,000 deliveries in the two periods
--   a random one in 8, 64 or 512 is read (compared_share), unless within is given: previous, change and compared are
--   estimated from them then, and the interval of a change is wider. Counts are of deliveries; rates have a 95 % interval
--   and their denominator. Deliveries of a device resemble each other, so the intervals are those of the deliveries
--   divided by the design effect.
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
-- parameter: within duration auto  count and compare only what happened within this time after the anchor, of deliveries
--   at least that old: a duration, or auto for an age that both periods have, at most the response window; without it,
--   the period's own numbers are of any age
-- column: metric text  name of the metric, as in the report conversion
-- column: value number  in the period: deliveries, or a ratio for a rate
-- column: low number  lower bound of a rate's 95 % interval
-- column: high number  upper bound of a rate's 95 % interval
-- column: n integer deliveries  denominator of a rate
-- column: previous number  the same in the period before, at the age of the comparison, estimated if compared_share is
--   under 1; sent at any age, exactly
-- column: change number  compared less previous: deliveries, or a difference of ratios
-- column: change_low number  lower bound of a rate's change at 95 % (Newcombe), and of a change of counts that is estimated
-- column: change_high number  upper bound of a rate's change at 95 % (Newcombe), and of a change of counts that is estimated
-- column: suppressed boolean  whether the rate is null because of min_n
-- column: reason text  why the rate is null: no_base, few (n under min_n), uncovered (the numerator is above n)
-- column: design_effect number  by how much the likeness within devices multiplies a rate's variance, at least 1
-- column: devices integer  devices of the base, of a rate over sent those of the sends; above 10,000 deliveries
--   estimated from some of the devices
-- column: deliveries_per_device number  deliveries of the base per device, of a rate over sent sends per device
-- column: open_share number ratio  share of the base whose response window is still open; a rate's decrease means
--   nothing while that is much, because responses are still to come
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: base_n integer deliveries  the base of the rates; delivery_rate and confirmation_coverage are shares of sent, and
--   reply_rate and dismiss_rate of a part of the base
-- column: compared number  value at the age of the comparison, of deliveries that have it, estimated if compared_share is
--   under 1; sent at any age, exactly
-- column: within_seconds integer seconds  age of the comparison; null without one, or at any age
-- column: compared_share number ratio  share of the deliveries that the comparison reads: 1, or 0.125, 0.015625 or
--   0.001953125, which is one in 8, 64 or 512
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
\if :{?within} \else \set within '' \endif
with asked as materialized (
    select
        *,
        afterpush.report_ripe_until(:'app', ends, age) as ripe_until,
        afterpush.report_ripe_until(:'app', ends, compared_age) as compared_until,
        age is not distinct from compared_age as is_same,
        -- How many deliveries one that is compared stands for.
        case when compared_age is null then 1 else afterpush.sample_weight(sample_level) end as weight,
        exists (
            select
            from afterpush.declared_sends as s
            join afterpush.apps as a using (app_id)
            where a.name = :'app'
              and (:'campaign' = '' or s.campaign_id = :'campaign')
              and s.hour >= previous
              and s.hour < ends
        ) as has_declared
    from (
        select
            *,
            case
                when age is not null then age
                -- PostgreSQL's times end somewhere.
                when previous is not null and ends - starts < interval '1000 years'
                then afterpush.report_within(:'app', starts, ends, :'campaign', 'auto')
            end as compared_age,
            -- A given age is that of all numbers, which are exact then.
            case
                when age is null
                then afterpush.sample_level(
                    (
                        select coalesce(sum(d.deliveries), 0)::bigint
                        from afterpush.rollup_campaign_days as d
                        join afterpush.apps as a using (app_id)
                        where a.name = :'app'
                          -- So that no unverified event changes what is read of the verified ones.
                          and d.verified = :'verified'::boolean
                          and (:'campaign' = '' or d.campaign_id = :'campaign')
                          and d.anchor_day >= afterpush.day_of(previous)
                          and d.anchor_day < ends
                    )
                )
                else 0
            end as sample_level
        from (
            select
                *,
                afterpush.report_within(:'app', starts, ends, :'campaign', :'within') as age,
                case
                    when starts < ends
                    then starts - least(
                        ends - starts,
                        -- Nothing was sent before 1900, and PostgreSQL's times end somewhere.
                        greatest(starts - timestamptz '1900-01-01 00:00Z', interval '0')
                    )
                end as previous
            from (
                select
                    afterpush.report_time(:'from', :'tz') as starts,
                    afterpush.report_time(:'to', :'tz') as ends
            ) as times
        ) as asked
    ) as aged
),
-- One base for both periods, so that they can be compared.
chosen as materialized (
    select afterpush.report_bases(
        :'app',
        coalesce(previous, starts),
        ends,
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'base',
        seam => starts
    ) as bases
    from asked
),
-- Both periods at once; at the age of the comparison as well, if that is another.
facts as materialized (
    select t.is_of_age, counts.*
    from asked
    cross join chosen
    cross join lateral (values (false, asked.age), (true, asked.compared_age)) as t (is_of_age, within)
    cross join lateral afterpush.report_counts(
        :'app',
        coalesce(previous, starts),
        ends,
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        bases,
        'period',
        :'tz',
        starts,
        within => t.within,
        sample_level => case when t.is_of_age then asked.sample_level else 0 end
    ) as counts
    where not (t.is_of_age and asked.is_same)
),
-- The same deliveries by device bucket: 1 of the period, 2 of the one before, 3 of the period as it is compared.
buckets as materialized (
    select p.period, b.*
    from asked
    cross join chosen
    cross join lateral (
        values
            (1, asked.starts, asked.ripe_until),
            -- The period before is cut off where the later one is, so at the earliest at its beginning.
            (
                2, asked.previous,
                asked.starts - least(asked.ends - asked.compared_until, asked.starts - asked.previous)
            ),
            (3, asked.starts, asked.compared_until)
    ) as p (period, starts, ends)
    cross join lateral afterpush.report_device_buckets(
        :'app', p.starts, p.ends, nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified'::boolean, bases, '', totals => true
    ) as b
    where case p.period
        when 1 then true
        when 2 then asked.previous is not null
        else asked.previous is not null and asked.compared_until < asked.ripe_until
    end
),
effects as materialized (
    select b.period, e.metric, coalesce(afterpush.packed_design_effect(e.n, e.y), 1) as design_effect
    from buckets as b
    cross join lateral (
        values
            ('delivery_rate', b.sent, b.delivered_sent),
            ('confirmation_coverage', b.sent, b.confirmed_sent),
            ('response_rate', b.base_n, b.responded),
            ('open_rate', b.base_n, b.opened),
            ('action_rate', b.base_n, b.acted),
            ('conversion_rate', b.base_n, b.converted),
            ('reply_rate', b.reply_n, b.replied),
            ('dismiss_rate', b.dismiss_n, b.dismissed)
    ) as e (metric, n, y)
),
devices as materialized (
    select
        case when is_of_sends then sent_devices else devices end as devices,
        case when is_of_sends then deliveries_per_sent_device else deliveries_per_device end as deliveries_per_device,
        is_of_sends
    from asked
    cross join chosen
    cross join lateral afterpush.report_devices(
        :'app', starts, ripe_until, nullif(:'campaign', ''), nullif(:'category', ''), nullif(:'variant', ''),
        nullif(:'platform', ''), :'verified'::boolean, bases, '', :'tz', totals => true
    ) as d
    cross join (values (true), (false)) as of (is_of_sends)
),
counted as (
    select
        p.period,
        coalesce(facts.base, (bases[1]).base) as base,
        coalesce(sent, 0) as sent,
        coalesce(delivered, 0) as delivered,
        coalesce(confirmed, 0) as confirmed,
        coalesce(responded, 0) as responded,
        coalesce(converted, 0) as converted,
        coalesce(base_n, 0) as base_n,
        coalesce(closed_base, 0) as closed_base,
        coalesce(reply_n, 0) as reply_n,
        coalesce(dismiss_n, 0) as dismiss_n,
        coalesce(delivered_sent, 0) as delivered_sent,
        coalesce(confirmed_sent, 0) as confirmed_sent,
        coalesce(opened_base, 0) as opened_base,
        coalesce(acted_base, 0) as acted_base,
        coalesce(responded_base, 0) as responded_base,
        coalesce(converted_base, 0) as converted_base,
        coalesce(replied_base, 0) as replied_base,
        coalesce(dismissed_base, 0) as dismissed_base
    from asked
    cross join chosen
    -- 1 the period, 2 the one before and 3 the period at the age of the comparison, 4 the one before at any age.
    cross join (values (1, 1, false), (2, 2, true), (3, 1, true), (4, 2, false)) as p (period, of_period, is_of_age)
    left join facts
        on facts.period = p.of_period
        and facts.is_of_age = (p.is_of_age and not asked.is_same)
    where p.period = 1
       or asked.starts < asked.ends
),
numbers as (
    select
        c.period,
        m.*,
        c.base,
        c.base_n,
        case
            when m.n is not null
            then coalesce(e.design_effect, case when c.period = 3 then whole.design_effect end, 1)
        end as design_effect,
        case when m.n is not null then (c.base_n - c.closed_base)::double precision / nullif(c.base_n, 0) end
            as open_share
    from counted as c
    cross join lateral (
        values
            (1, 'sent', c.sent, null::bigint),
            (2, 'delivered', c.delivered, null),
            (3, 'confirmed', c.confirmed, null),
            (4, 'responded', c.responded, null),
            (5, 'converted', c.converted, null),
            (6, 'delivery_rate', c.delivered_sent, c.sent),
            (7, 'confirmation_coverage', c.confirmed_sent, c.sent),
            (8, 'response_rate', c.responded_base, c.base_n),
            (9, 'open_rate', c.opened_base, c.base_n),
            (10, 'action_rate', c.acted_base, c.base_n),
            (11, 'conversion_rate', c.converted_base, c.base_n),
            (12, 'reply_rate', c.replied_base, c.reply_n),
            (13, 'dismiss_rate', c.dismissed_base, c.dismiss_n)
    ) as m (place, metric, k, n)
    left join effects as e on e.period = c.period and e.metric = m.metric
    left join effects as whole on whole.period = 1 and whole.metric = m.metric
),
compared as (
    select
        a.place,
        a.metric,
        a.k,
        a.n,
        c.k as compared_k,
        c.n as compared_n,
        b.k as previous_k,
        b.n as previous_n,
        a.design_effect,
        a.base,
        a.base_n,
        a.open_share,
        c.design_effect + afterpush.sample_effect(weight, c.k, c.n, has_declared) as compared_effect,
        b.design_effect + afterpush.sample_effect(weight, b.k, b.n, has_declared) as previous_effect,
        weight,
        case when a.n is null then a.k else afterpush.rate(a.k, a.n, :'min_n') end as value,
        -- Sends are made at the anchor, so no age matters to them.
        case
            when a.n is not null then afterpush.rate(c.k, c.n, weight * :'min_n'::bigint)
            when a.metric = 'sent' then case when c.k is not null then a.k end
            else c.k
        end as compared,
        case
            when a.n is not null then afterpush.rate(b.k, b.n, weight * :'min_n'::bigint)
            when a.metric = 'sent' then d.k
            else b.k
        end as previous
    from numbers as a
    cross join asked
    left join numbers as b on b.place = a.place and b.period = 2
    left join numbers as c on c.place = a.place and c.period = 3
    left join numbers as d on d.place = a.place and d.period = 4
    where a.period = 1
)
select
    metric,
    value,
    afterpush.rate_low(k, n, :'min_n', design_effect) as low,
    afterpush.rate_high(k, n, :'min_n', design_effect) as high,
    n,
    previous,
    compared.compared - previous as change,
    case
        when n is not null and compared.compared - previous is not null
        then afterpush.difference_low(
            compared_k, compared_n, previous_k, previous_n, compared_effect, previous_effect
        )
        when n is null and metric <> 'sent'
        then compared.compared - previous - afterpush.sample_margin(weight, compared_k, previous_k)
    end as change_low,
    case
        when n is not null and compared.compared - previous is not null
        then afterpush.difference_high(
            compared_k, compared_n, previous_k, previous_n, compared_effect, previous_effect
        )
        when n is null and metric <> 'sent'
        then compared.compared - previous + afterpush.sample_margin(weight, compared_k, previous_k)
    end as change_high,
    afterpush.suppressed(:'min_n', n) as suppressed,
    case when n is not null then afterpush.missing_rates(:'min_n', n, array[k], array[n]) end as reason,
    design_effect,
    case
        when n is not null
        then coalesce(
            devices, round(case when is_of_sends then n else base_n end / deliveries_per_device)::bigint, 0
        )
    end as devices,
    case when n is not null then deliveries_per_device end as deliveries_per_device,
    open_share,
    base,
    base_n,
    compared.compared,
    (select extract(epoch from compared_age)::bigint from asked where previous is not null) as within_seconds,
    (select 1.0::double precision / weight from asked where previous is not null) as compared_share
from compared
left join devices on is_of_sends = (metric in ('delivery_rate', 'confirmation_coverage'))
order by place;
