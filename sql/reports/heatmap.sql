-- title: Response by hour and weekday
-- description: Which local hours and weekdays get responses: deliveries by the hour of their anchor, and the share of the
--   base that responded, at any time. Hours are those of tz or, with local=device, of each device's own clock: by the
--   offset from UTC that its events state, within 30 days. Devices that state none are in a row of their own, without
--   weekday and hour. With local=device, the report reads deliveries and events, which takes longer, and leaves out
--   deliveries that retention has deleted.
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
-- parameter: local text tz|device  whose hours: those of tz, or those of each device's clock
-- column: weekday integer  1 is Monday, 7 is Sunday; null if the device's hour is unknown
-- column: hour integer  hour of the day, 0 to 23; null if the device's hour is unknown
-- column: base_n integer deliveries  the base of the rate
-- column: responded integer deliveries  opened, acted, replied or dismissed
-- column: response_rate number ratio  responded within the base, over base_n
-- column: response_rate_low number ratio  lower bound of its 95 % interval
-- column: response_rate_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether the rate is null because of min_n
-- column: reason text  why the rate is null: few, no_base or uncovered
-- column: base text  what base_n counts: sent, confirmed, mixed (campaigns differ) or none
-- column: verified_share number ratio  with local=device, share of the deliveries whose offset verified events state
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
\if :{?local} \else \set local tz \endif
-- Campaigns with declared sends are in no base of sends by hour.
select
    bases,
    ((bases::afterpush.campaign_base[])[1]).base as base_of_most,
    array(
        select distinct s.campaign_id
        from afterpush.sends as s
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
    )::text as declared
from cast(
    afterpush.report_bases(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'base',
        by_time => true
    ) as text
) as bases \gset
-- Summed for each campaign first, so that its base is looked up once for an hour and not for each row.
with by_campaign as (
    select
        r.anchor_hour,
        r.campaign_id,
        sum(r.deliveries::integer) filter (where r.is_sent) as sent,
        sum(r.deliveries::integer) filter (where r.is_confirmed) as confirmed,
        sum(r.responded::integer) as responded,
        sum(r.responded::integer) filter (where r.is_sent) as responded_sent,
        sum(r.responded::integer) filter (where r.is_confirmed) as responded_confirmed
    from afterpush.rollup_deliveries as r
    where r.app_id = (select app_id from afterpush.apps where name = :'app')
      and r.verified = :'verified'::boolean
      and r.anchor_hour >= (select coalesce(afterpush.report_time(:'from', :'tz'), '-infinity'))
      and r.anchor_hour < (select coalesce(afterpush.report_time(:'to', :'tz'), 'infinity'))
      and (:'campaign' = '' or r.campaign_id = :'campaign')
      and (:'category' = '' or r.category_id = :'category')
      and (:'variant' = '' or r.variant = :'variant')
      and (:'platform' = '' or r.platform = :'platform')
      and :'local' <> 'device'
    group by 1, 2
),
based as (
    select
        c.*,
        coalesce(b.base, :'base_of_most') as base,
        -- Declared sends are no base by hour.
        case
            when c.campaign_id <> all (:'declared'::text[]) or coalesce(b.base, :'base_of_most') <> 'sent'
            then coalesce(b.base, :'base_of_most')
        end as counted
    from by_campaign as c
    left join unnest(:'bases'::afterpush.campaign_base[]) as b on b.campaign_id = c.campaign_id
),
hours as (
    select
        anchor_hour,
        coalesce(sum(case counted when 'sent' then sent when 'confirmed' then confirmed end), 0) as base_n,
        sum(responded) as responded,
        coalesce(
            sum(case counted when 'sent' then responded_sent when 'confirmed' then responded_confirmed end), 0
        ) as responded_base,
        bool_or(base = 'sent') as has_sent,
        bool_or(base = 'confirmed') as has_confirmed
    from based
    group by anchor_hour
),
counted as (
    select
        extract(isodow from anchor_hour at time zone :'tz')::integer as weekday,
        extract(hour from anchor_hour at time zone :'tz')::integer as hour,
        sum(base_n)::bigint as base_n,
        sum(responded)::bigint as responded,
        sum(responded_base)::bigint as responded_base,
        bool_or(has_sent) as has_sent,
        bool_or(has_confirmed) as has_confirmed,
        0 as offsets,
        0 as verified_offsets
    from hours
    group by 1, 2
    union all
    select
        weekday, hour, base_n, responded, responded_base, has_sent, has_confirmed, offsets, verified_offsets
    from afterpush.report_device_hours(
        :'app',
        afterpush.report_hour(:'from', :'tz'),
        afterpush.report_hour(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        :'bases'::afterpush.campaign_base[],
        :'declared'::text[]
    )
    where :'local' = 'device'
)
select
    weekday,
    hour,
    base_n,
    responded,
    afterpush.rate(responded_base, base_n, :'min_n') as response_rate,
    afterpush.rate_low(responded_base, base_n, :'min_n') as response_rate_low,
    afterpush.rate_high(responded_base, base_n, :'min_n') as response_rate_high,
    afterpush.suppressed(:'min_n', base_n) as suppressed,
    afterpush.missing_rates(:'min_n', base_n, array[responded_base], array[base_n]) as reason,
    case
        when has_sent and has_confirmed then 'mixed'
        when has_sent then 'sent'
        when has_confirmed then 'confirmed'
        else 'none'
    end as base,
    afterpush.rate(verified_offsets, offsets, 1) as verified_share
from counted
order by weekday, hour;
