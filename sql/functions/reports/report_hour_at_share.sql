-- Where a report may divide its time, so that two processes have about as much to read.
create or replace function afterpush.report_hour_at_share(
    app text, "from" timestamptz, "to" timestamptz, share double precision
)
returns timestamptz
language sql stable
begin atomic
    select max(h.event_hour) filter (where h.before <= h.total * share)
    from (
        select
            e.event_hour,
            sum(sum(e.events)) over (order by e.event_hour) - sum(e.events) as before,
            sum(sum(e.events)) over () as total
        from afterpush.rollup_event_hours as e
        join afterpush.apps as a using (app_id)
        where a.name = report_hour_at_share.app
          and not e.verified
          and e.event_hour >= report_hour_at_share."from"
          and e.event_hour < report_hour_at_share."to"
        group by e.event_hour
    ) as h;
end;
comment on function afterpush.report_hour_at_share is
    'The last hour before which at most a share of the events between two times happened; null if there are none.';
