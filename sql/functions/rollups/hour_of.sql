-- Sums of two more things, kept by signed deltas like the others: events, by the hour in which they occurred, and responses,
-- by the time they took.

-- Hours and days, UTC, without looking at the session's zone: cheaper than date_trunc. The year 0 is before all RFC 3339
-- can say.
create or replace function afterpush.hour_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 hour', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.hour_of is 'The start of the hour, UTC, that holds a time.';

create or replace function afterpush.day_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 day', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.day_of is 'The start of the day, UTC, that holds a time.';
