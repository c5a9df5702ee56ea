-- What `fatigue` and `influence` read: deliveries and events one by one, from an hour to another.

-- A report's `from` or `to` as the first whole hour at or after it: an hour is selected by its start.
create function afterpush.report_hour(at text, tz text) returns timestamptz
language sql stable parallel safe
return date_bin(
    '1 hour', afterpush.report_time(at, tz) + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z'
);
comment on function afterpush.report_hour is 'The first whole hour at or after a time given to a report.';
grant execute on function afterpush.report_hour to afterpush_report;

-- A few events in a hundred, and in the order in which they come in.
create index events_of_openings on afterpush.events (app_id, occurred_at)
where kind in ('opened', 'action', 'text_input', 'dismissed', 'app_opened');
comment on index afterpush.events_of_openings is 'Openings of the app and the responses that may have led to them.';

-- Reports of many rows may then use several processes. It reads a setting, which these are given, and one table.
alter function afterpush.report_app() parallel safe;
