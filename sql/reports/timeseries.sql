-- title: Events over time
-- description: How many events of each kind happened, by the time at which they happened. Campaign, category and
--   variant are those of the event's delivery. Events about a device alone have none.
-- parameter: from time  first hour counted; empty: no bound
-- parameter: to time  first hour not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only verified events
-- parameter: by text day|hour  length of a row
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
with counted as (
    select hour, kind, events
    from afterpush.report_events(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean
    )
)
select
    case
        when :'by' = 'hour' then hour
        else (hour at time zone :'tz')::date::timestamp at time zone :'tz'
    end as time,
    coalesce(sum(events) filter (where kind = 'sent'), 0)::bigint as sent,
    coalesce(sum(events) filter (where kind = 'failed'), 0)::bigint as failed,
    coalesce(sum(events) filter (where kind = 'delivered'), 0)::bigint as delivered,
    coalesce(sum(events) filter (where kind = 'displayed'), 0)::bigint as displayed,
    coalesce(sum(events) filter (where kind = 'read'), 0)::bigint as read,
    coalesce(sum(events) filter (where kind = 'opened'), 0)::bigint as opened,
    coalesce(sum(events) filter (where kind = 'action'), 0)::bigint as action,
    coalesce(sum(events) filter (where kind = 'text_input'), 0)::bigint as text_input,
    coalesce(sum(events) filter (where kind = 'dismissed'), 0)::bigint as dismissed,
    coalesce(sum(events) filter (where kind = 'converted'), 0)::bigint as converted,
    coalesce(sum(events) filter (where kind = 'replaced'), 0)::bigint as replaced,
    coalesce(sum(events) filter (where kind = 'media_played'), 0)::bigint as media_played,
    coalesce(sum(events) filter (where kind = 'media_paused'), 0)::bigint as media_paused,
    coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::bigint as attachment_failed,
    coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::bigint as extension_expired,
    coalesce(sum(events) filter (where kind = 'token_registered'), 0)::bigint as token_registered,
    coalesce(sum(events) filter (where kind = 'token_failed'), 0)::bigint as token_failed,
    coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::bigint as permission_granted,
    coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::bigint as permission_revoked,
    coalesce(sum(events) filter (where kind = 'app_opened'), 0)::bigint as app_opened
from counted
group by 1
order by 1;
