-- Which rows of the rollups by hour count if all events do (verified is false), and which if only verified ones do.
--
-- modes: 1 by all events, 2 by the verified ones, 3 either way: the deliveries are the same by both.
--
-- The constants are of type smallint. A cast in the query can fail, so row-level security would keep the comparison out of
-- indexes: a report on an hour would read all of the app's keys.
create or replace function afterpush.count_modes() returns table (verified boolean, modes smallint)
language sql immutable parallel safe
as $$
    values (false, smallint '1'), (false, smallint '3'), (true, smallint '2'), (true, smallint '3')
$$;
comment on function afterpush.count_modes is
    'Which rows of the rollups by hour count if all events do, and which if only verified ones do.';
