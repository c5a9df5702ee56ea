-- Running totals: how many deliveries responded, or acted, within each time bucket or an earlier one. Or, how many began
-- to be observed in each hour or an earlier one.
--
-- An array holds the number of the first bucket, then the total up to that bucket, up to the next, and so on to the
-- last
-- bucket: {3,5,9} is 5 deliveries in bucket 3, and 4 in bucket 4. Deliveries whose time is unknown (bucket -2, see
-- time_bucket.sql) are not in it. The empty array has no deliveries. Rollups by day store these, because a quantile is
-- then found by a search instead of a sum over buckets.

-- The sum of two arrays of running totals, of which one may be a signed difference. The sum begins with the first
-- bucket that holds a delivery and ends with the last.
create or replace function afterpush.add_running_totals(a integer[], b integer[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    ends constant integer := greatest(a[1] + cardinality(a), b[1] + cardinality(b)) - 2;
    total constant integer := coalesce(a[cardinality(a)], 0) + coalesce(b[cardinality(b)], 0);
    result integer[] := '{}';
    reached integer;
begin
    if cardinality(a) = 0 then
        return b;
    end if;
    if cardinality(b) = 0 then
        return a;
    end if;
    for bucket in least(a[1], b[1])..ends loop
        exit when total = 0;
        reached := case when bucket < a[1] then 0 else a[least(bucket - a[1] + 2, cardinality(a))] end
            + case when bucket < b[1] then 0 else b[least(bucket - b[1] + 2, cardinality(b))] end;
        if reached > 0 then
            if cardinality(result) = 0 then
                result := array[bucket];
            end if;
            result := result || reached;
            exit when reached = total;
        end if;
    end loop;
    return result;
end
$$;
comment on function afterpush.add_running_totals is
    'The sum of two arrays of running totals, of which one may be a signed difference.';

-- The running totals of counts by bucket.
--
-- buckets: in ascending order, each once.
-- counts:  the number of deliveries of each bucket.
create or replace function afterpush.running_totals_of(buckets integer[], counts bigint[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    result integer[] := '{}';
    reached integer := 0;
begin
    for i in 1..coalesce(cardinality(buckets), 0) loop
        continue when buckets[i] < -1 or counts[i] = 0;
        if cardinality(result) = 0 then
            result := array[buckets[i]];
        end if;
        while result[1] + cardinality(result) <= buckets[i] loop
            result := result || reached;
        end loop;
        reached := reached + counts[i];
        result := result || reached;
    end loop;
    return result;
end
$$;
comment on function afterpush.running_totals_of is
    'The running totals of counts by bucket; buckets must be in ascending order.';

-- The bucket in which a quantile of the deliveries lies.
--
-- times:   running totals, not empty.
-- percent: the quantile, 50 for the median.
--
-- width_bucket searches the array by halves, without a copy of it that lacks the first element. The first element is a
-- bucket and not a total, but the search looks at it only after it has found all totals to be greater. It then returns
-- 0 or 1, and either means the first bucket.
create or replace function afterpush.running_totals_quantile(times integer[], percent integer) returns integer
language sql immutable parallel safe
return times[1] + greatest(
    width_bucket(((times[cardinality(times)]::bigint * percent + 99) / 100 - 1)::integer, times) - 1, 0
);
comment on function afterpush.running_totals_quantile is
    'The bucket in which a quantile of running totals lies.';

-- The bucket in which a quantile of the deliveries of several running totals lies.
--
-- several:         the running totals.
-- total:           the number of deliveries in all of them.
-- percent:         the quantile, 50 for the median.
-- lowest, highest: the first and the last bucket that any of them has.
--
-- It searches by halves, and sums the totals up to the middle bucket in a loop of expressions: a statement within a
-- function costs tens of microseconds each time it runs.
create or replace function afterpush.combined_quantile(
    several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer
) returns integer
language plpgsql immutable parallel safe
as $$
declare
    wanted constant bigint := (total * percent + 99) / 100;
    middle integer;
    reached bigint;
    one afterpush.running_totals;
begin
    while lowest < highest loop
        middle := lowest + (highest - lowest) / 2;
        reached := 0;
        foreach one in array several loop
            reached := reached + afterpush.running_total_at(one.times, middle);
        end loop;
        if reached >= wanted then
            highest := middle;
        else
            lowest := middle + 1;
        end if;
    end loop;
    return lowest;
end
$$;
comment on function afterpush.combined_quantile is
    'The bucket in which a quantile of several running totals lies.';

-- The running total up to a bucket; 0 before the first one. PostgreSQL inlines it only where its arguments are cheap,
-- because it uses them twice.
create or replace function afterpush.running_total_at(times integer[], bucket integer) returns integer
language sql immutable parallel safe
return case
    when bucket >= times[1] then times[least(bucket - times[1] + 2, cardinality(times))]
    else 0
end;
comment on function afterpush.running_total_at is 'The running total up to a bucket.';
