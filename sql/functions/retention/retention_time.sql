-- The time that retention goes by: that of the database's clock or of the collector's, whichever is earlier.
--
-- A clock that is ahead would make everything look expired, and what retention deletes and seals can't be undone. Two
-- clocks that are far apart show that one of them is wrong, but not which; then nothing is decided (SQLSTATE AP002).
-- Without a collector, for people who look at what has expired, the database's clock is enough.
create or replace function afterpush.retention_time() returns timestamptz
language plpgsql stable
as $$
declare
    collector timestamptz := nullif(current_setting('afterpush.collector_time', true), '')::timestamptz;
begin
    if collector not between now() - interval '5 minutes' and now() + interval '5 minutes' then
        raise exception 'the clocks of the database and the collector differ by more than five minutes'
            using errcode = 'AP002';
    end if;
    return least(now(), collector);
end
$$;
comment on function afterpush.retention_time is
    'Returns the time that retention goes by; fails with AP002 if the clocks of database and collector differ.';

-- Begins a step of retention, which is a transaction: states the collector's clock, and fails if the clocks differ.
create or replace function afterpush.begin_retention_step(collector timestamptz) returns timestamptz
language plpgsql
as $$
begin
    perform set_config('afterpush.collector_time', collector::text, true);
    return afterpush.retention_time();
end
$$;
comment on function afterpush.begin_retention_step is
    'States the collector''s clock for a transaction of retention; fails with AP002 if the clocks differ.';
