-- title: Events over time
-- description: Events of each kind by the time at which they occurred. Campaign, category and
--   variant are those of the event's delivery. Events about a device alone have none of these.
-- parameter: from time  first hour; empty for no limit
-- parameter: to time  end of the hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only verified events
-- parameter: by text day|hour  period of a row
-- column: time time  start of the hour or local day
-- column: sent integer events  events of this kind
-- column: failed integer events  events of this kind
-- column: delivered integer events  events of this kind
-- column: displayed integer events  events of this kind
-- column: read integer events  events of this kind
-- column: opened integer events  events of this kind
-- column: action integer events  events of this kind
-- column: text_input integer events  events of this kind
-- column: dismissed integer events  events of this kind
-- column: converted integer events  events of this kind
-- column: replaced integer events  events of this kind
-- column: media_played integer events  events of this kind
-- column: media_paused integer events  events of this kind
-- column: attachment_failed integer events  events of this kind
-- column: extension_expired integer events  events of this kind
-- column: token_registered integer events  events of this kind
-- column: token_failed integer events  events of this kind
-- column: permission_granted integer events  events of this kind
-- column: permission_revoked integer events  events of this kind
-- column: app_opened integer events  events of this kind
-- column: held_out integer events  events of this kind
-- column: verified_share number ratio  share of token, permission and app_opened events that are verified
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by day \endif
-- As constants, which the planner needs to estimate the hours.
select
    coalesce(afterpush.report_time(:'from', :'tz'), '-infinity') as from_time,
    coalesce(afterpush.report_time(:'to', :'tz'), 'infinity') as to_time \gset
with counted as (
    select
        r.verified, r.verified = :'verified'::boolean as selected,
        -- Anyone may post these without a receipt.
        token_registered + token_failed + permission_granted + permission_revoked + app_opened as about_devices,
        event_hour, sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted,
        replaced, media_played, media_paused, attachment_failed, extension_expired,
        token_registered, token_failed, permission_granted, permission_revoked, app_opened, held_out
    from afterpush.rollup_event_hours as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (r.verified or not :'verified'::boolean)
      and r.event_hour >= :'from_time'
      and r.event_hour < :'to_time'
      and (:'platform' = '' or r.platform = :'platform')
      and :'campaign' = ''
      and :'category' = ''
      and :'variant' = ''
    union all
    select
        r.verified, r.verified = :'verified'::boolean as selected,
        -- Anyone may post these without a receipt.
        token_registered + token_failed + permission_granted + permission_revoked + app_opened as about_devices,
        event_hour, sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted,
        replaced, media_played, media_paused, attachment_failed, extension_expired,
        token_registered, token_failed, permission_granted, permission_revoked, app_opened, held_out
    from afterpush.rollup_events as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (r.verified or not :'verified'::boolean)
      and r.event_hour >= :'from_time'
      and r.event_hour < :'to_time'
      and (:'platform' = '' or r.platform = :'platform')
      and (:'campaign' <> '' or :'category' <> '' or :'variant' <> '')
      and (:'campaign' = '' or r.campaign_id = :'campaign')
      and (:'category' = '' or r.category_id = :'category')
      and (:'variant' = '' or r.variant = :'variant')
),
periods as (
    select
        -- Local days are grouped without their zone, because the start of a day that begins twice takes long to find.
        case
            when :'by' = 'hour' then event_hour at time zone 'UTC'
            else date_trunc('day', event_hour at time zone :'tz')
        end as period,
        sum(sent) filter (where selected)::bigint as sent,
        sum(failed) filter (where selected)::bigint as failed,
        sum(delivered) filter (where selected)::bigint as delivered,
        sum(displayed) filter (where selected)::bigint as displayed,
        sum(read) filter (where selected)::bigint as read,
        sum(opened) filter (where selected)::bigint as opened,
        sum(action) filter (where selected)::bigint as action,
        sum(text_input) filter (where selected)::bigint as text_input,
        sum(dismissed) filter (where selected)::bigint as dismissed,
        sum(converted) filter (where selected)::bigint as converted,
        sum(replaced) filter (where selected)::bigint as replaced,
        sum(media_played) filter (where selected)::bigint as media_played,
        sum(media_paused) filter (where selected)::bigint as media_paused,
        sum(attachment_failed) filter (where selected)::bigint as attachment_failed,
        sum(extension_expired) filter (where selected)::bigint as extension_expired,
        sum(token_registered) filter (where selected)::bigint as token_registered,
        sum(token_failed) filter (where selected)::bigint as token_failed,
        sum(permission_granted) filter (where selected)::bigint as permission_granted,
        sum(permission_revoked) filter (where selected)::bigint as permission_revoked,
        sum(app_opened) filter (where selected)::bigint as app_opened,
        sum(held_out) filter (where selected)::bigint as held_out,
        sum(about_devices) filter (where selected)::bigint as about_devices,
        sum(about_devices) filter (where verified)::bigint as verified_about_devices
    from counted
    group by 1
)
select
    case when :'by' = 'hour' then period at time zone 'UTC' else afterpush.first_instant(period, :'tz') end as time,
    sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced, media_played,
    media_paused, attachment_failed, extension_expired, token_registered, token_failed, permission_granted,
    permission_revoked, app_opened, held_out,
    afterpush.rate(coalesce(verified_about_devices, 0), about_devices, 1) as verified_share
from periods
-- Verified events alone select no row.
where sent is not null
order by period;
