-- A day begins with the first of its instants. Of a midnight that comes twice, because clocks go back to it, or over it,
-- PostgreSQL takes the second. What is an hour off is told by the offset of the day before.
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
comment on function afterpush.first_instant is 'When a local day begins.';
