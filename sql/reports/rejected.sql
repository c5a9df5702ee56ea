-- title: Rejected
-- description: Events that were refused, by code. The same event refused again, by a retry, counts once. The events
--   themselves are in rejected_events, their texts nowhere.
-- parameter: from time  received at or after; empty: no bound
-- parameter: to time  received before; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: by list day  groups by local day
-- column: day date  local day it was received on
-- column: code text  the stable code that the sender was answered
-- column: events integer events  refused events
-- column: first_at time  when the first of them was received
-- column: last_at time  when the last of them was received
-- column: example text  what was wrong with the last of them
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?by} \else \set by '' \endif
select by_columns, by_group, by_order
from afterpush.report_by(:'by') \gset
with refused as (
    select
        (r.received_at at time zone :'tz')::date as day,
        r.code,
        r.received_at,
        r.rejection_id,
        r.detail
    from afterpush.rejected_events as r
    join afterpush.apps as a using (app_id)
    where a.name = :'app'
      and (:'from' = '' or r.received_at >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or r.received_at < afterpush.report_time(:'to', :'tz'))
)
select
    :by_columns
    code,
    count(*) as events,
    min(received_at) as first_at,
    max(received_at) as last_at,
    (array_agg(detail order by received_at desc, rejection_id desc))[1] as example
from refused
group by :by_columns code
order by :by_order, code collate "C";
