-- title: Rejected events
-- description: Why events were refused: by code, with an example of what was wrong. The events themselves are in the
--   table rejected_events.
-- parameter: from time  first refusal counted, by when it came in; empty: no bound
-- parameter: to time  first refusal not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: by list day  a row for each day
-- column: day date  local day on which they came in
-- column: code text  why; the codes are those of the answer to POST /v1/events
-- column: events integer events  refused events; the same one sent again counts once
-- column: first_at time  when the first came in
-- column: last_at time  when the last came in
-- column: detail text  what was wrong with the last one
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?by} \else \set by '' \endif
select case when :'by' = 'day' then 'day,' else '' end as by_columns, case when :'by' = 'day' then 'day,' else '' end as by_order
\gset
with picked as (
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
from picked
group by :by_columns code
order by :by_order events desc, code collate "C";
