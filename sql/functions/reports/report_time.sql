-- A time that a report was given, as an instant: RFC 3339, or a date, which means its midnight in `tz`. Empty means
-- no limit.
create or replace function afterpush.report_time(at text, tz text) returns timestamptz
language sql stable parallel safe
return case
    when at = '' then null
    when at ~ '^\d{4}-\d{2}-\d{2}$' then afterpush.first_instant(at::timestamp, tz)
    else at::timestamptz
end;
comment on function afterpush.report_time is 'A time given to a report; a date alone means midnight in tz.';
