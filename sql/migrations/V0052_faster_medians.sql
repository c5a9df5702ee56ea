-- Medians of actions in half of the time, and rates without a statement for each row.

-- The first bucket of a quantile of running numbers. They are searched as they stand, without a copy of their own: what comes
-- first is a bucket, and a search by halves looks at it only after all numbers have turned out to be greater. It then says 0 or
-- 1, and either means the first number.
create or replace function afterpush.times_quantile(times integer[], percent integer) returns integer
language sql immutable parallel safe
return times[1] + greatest(
    width_bucket(((times[cardinality(times)]::bigint * percent + 99) / 100 - 1)::integer, times) - 1, 0
);

-- Without a FROM it is made part of the statement that calls it.
create or replace function afterpush.suppressed(min_n bigint, variadic denominators bigint[]) returns boolean
language sql immutable parallel safe
return coalesce(min_n > any (array_remove(denominators, 0::bigint)), false);
