-- The UTC hour and the UTC day that hold a time. date_bin does not depend on the session's time zone and is faster than
-- date_trunc; its origin is earlier than any time that RFC 3339 can express.

create or replace function afterpush.hour_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 hour', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.hour_of is 'The start of the hour, UTC, that holds a time.';

create or replace function afterpush.day_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 day', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.day_of is 'The start of the day, UTC, that holds a time.';
