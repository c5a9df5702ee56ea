-- title: Rejected events
-- description: Rejected events by code, with an example of what was wrong. The events themselves are in the table
--   rejected_events.
-- parameter: from time  events rejected from this time on; empty for no limit
-- parameter: to time  events rejected before this time; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: by list day  one row per day
-- column: day date  local day on which they were received
-- column: code text  reason; one of the codes in the response to POST /v1/events
-- column: events integer events  rejected events; the same event sent again counts once
-- column: first_at time  when the first was received
-- column: last_at time  when the last was received
-- column: detail text  what was wrong with the last one
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?by} \else \set by '' \endif
select case when :'by' = 'day' then 'day,' else '' end as by_columns \gset
with rejected as (
    select (r.received_at at time zone :'tz')::date as day, r.code, r.received_at, r.rejection_id, r.detail
    from afterpush.rejected_events as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (:'from' = '' or r.received_at >= (select afterpush.report_time(:'from', :'tz')))
      and (:'to' = '' or r.received_at < (select afterpush.report_time(:'to', :'tz')))
)
select
    :by_columns
    code,
    count(*) as events,
    min(received_at) as first_at,
    max(received_at) as last_at,
    (array_agg(detail order by received_at desc, rejection_id desc))[1] as detail
from rejected
group by :by_columns code
order by :by_columns events desc, code collate "C";
