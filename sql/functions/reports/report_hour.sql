-- A report's `from` or `to` as the first whole hour at or after it: an hour is selected by its start.
create or replace function afterpush.report_hour(at text, tz text) returns timestamptz
language sql stable parallel safe
return date_bin(
    '1 hour', afterpush.report_time(at, tz) + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z'
);
comment on function afterpush.report_hour is 'The first whole hour at or after a time given to a report.';
