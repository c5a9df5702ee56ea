-- The first instant of a local day. Where midnight occurs twice, because clocks go back to it or past it, PostgreSQL
-- takes the second; the offset of the day before gives the first.
create or replace function afterpush.first_instant(midnight timestamp, tz text) returns timestamptz
language sql stable parallel safe
return (
    select case when early at time zone tz = midnight and early < late then early else late end
    from (select midnight at time zone tz as late) as l
    cross join lateral (
        select midnight at time zone 'UTC'
            - ((late - interval '25 hours') at time zone tz - (late - interval '25 hours') at time zone 'UTC') as early
    ) as e
);
comment on function afterpush.first_instant is 'The first instant of a local day.';
