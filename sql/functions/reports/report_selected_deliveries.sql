-- The deliveries of an app whose anchor lies in the selected hours: `from_hour` inclusive, `to_hour` exclusive,
-- -infinity and infinity for no limit. Deliveries that were held out are left out. A report may filter them further: the
-- planner inlines the function.
create or replace function afterpush.report_selected_deliveries(app text, from_hour timestamptz, to_hour timestamptz)
returns setof afterpush.deliveries
language sql stable parallel safe
as $$
    select d.*
    from afterpush.deliveries as d
    where d.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
      and not afterpush.is_held_out(d.kinds)
      and (from_hour = '-infinity' or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= from_hour)
      and (to_hour = 'infinity' or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < to_hour)
$$;
comment on function afterpush.report_selected_deliveries is
    'The deliveries of an app whose anchor lies in the selected hours.';
