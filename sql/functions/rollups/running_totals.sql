-- What is added may be a difference. The sum holds no bucket before the first delivery, and none after the last.
create or replace function afterpush.add_running_totals(a integer[], b integer[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    ends constant integer := greatest(a[1] + cardinality(a), b[1] + cardinality(b)) - 2;
    total constant integer := coalesce(a[cardinality(a)], 0) + coalesce(b[cardinality(b)], 0);
    result integer[] := '{}';
    reached integer;
begin
    if cardinality(a) = 0 or cardinality(b) = 0 then
        return a || b;
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
comment on function afterpush.add_running_totals is 'The sum of running numbers, of which one may be a difference.';

-- Running numbers: the first bucket, then the number of deliveries up to it, up to the next, and so on to the last. Those
-- whose time is not known (bucket -2) are not among them.
create or replace function afterpush.running_totals_of(buckets smallint[], counts bigint[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    result integer[] := '{}';
    reached integer := 0;
begin
    for place in 1..coalesce(cardinality(buckets), 0) loop
        continue when buckets[place] < -1 or counts[place] = 0;
        if cardinality(result) = 0 then
            result := array[buckets[place]];
        end if;
        while result[1] + cardinality(result) <= buckets[place] loop
            result := result || reached;
        end loop;
        reached := reached + counts[place];
        result := result || reached;
    end loop;
    return result;
end
$$;
comment on function afterpush.running_totals_of is 'Running numbers of counts by bucket, which must be in ascending order.';

-- Medians of actions in half of the time, and rates without a statement for each row.

-- The first bucket of a quantile of running numbers. They are searched as they stand, without a copy of their own: what comes
-- first is a bucket, and a search by halves looks at it only after all numbers have turned out to be greater. It then says 0 or
-- 1, and either means the first number.
create or replace function afterpush.running_totals_quantile(times integer[], percent integer) returns integer
language sql immutable parallel safe
return times[1] + greatest(
    width_bucket(((times[cardinality(times)]::bigint * percent + 99) / 100 - 1)::integer, times) - 1, 0
);
comment on function afterpush.running_totals_quantile(integer[],integer) is 'The bucket of a quantile of running numbers.';

-- Quantiles of response times in a fraction of the time. A statement within a function costs tens of microseconds each time it
-- runs, and so does a function of SQL that is not inlined: it is not if an argument that it uses twice is dear.
create or replace function afterpush.running_totals_quantile(
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
        -- A loop, not a sum over unnest: expressions without a FROM need no statement to be run.
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
comment on function afterpush.running_totals_quantile(afterpush.running_totals[],bigint,integer,integer,integer) is
    'The bucket of a quantile of several running numbers together.';

create or replace function afterpush.running_total_at(times integer[], bucket integer) returns integer
language sql immutable parallel safe
return case
    when bucket >= times[1] then times[least(bucket - times[1] + 2, cardinality(times))]
    else 0
end;
comment on function afterpush.running_total_at is 'The number of deliveries up to a bucket, of running numbers.';
