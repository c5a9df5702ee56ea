-- A time as text in RFC 3339, in UTC, with whole seconds.
create or replace function afterpush.rfc3339(at timestamptz) returns text
language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
comment on function afterpush.rfc3339 is 'A time as RFC 3339, UTC, in seconds.';
