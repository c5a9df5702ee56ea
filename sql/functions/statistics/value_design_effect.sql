-- The design effect of a mean value per delivery: how many times larger its variance is because deliveries of one device
-- resemble each other. It is the variance of the ratio of sums over device buckets by the delta method, as that of a rate
-- (design_effect.sql), over the variance of independent deliveries; at least 1.
--
-- n:             the deliveries of the base by device bucket, packed (packed_buckets.sql).
-- buckets:       the buckets that have a value; null for none.
-- bucket_values: the sums of the values of each.
-- squares:       the sum of the squares of the values of all deliveries.
create or replace function afterpush.value_design_effect(
    n numeric, buckets smallint[], bucket_values numeric[], squares numeric
) returns double precision
language plpgsql immutable parallel safe
as $$
declare
    n_buckets constant bigint[] := afterpush.unpacked_buckets(coalesce(n, 0));
    total constant bigint := (select sum(b) from unnest(n_buckets) as b);
    value constant numeric := (select coalesce(sum(v), 0) from unnest(bucket_values) as v);
    variance constant double precision := afterpush.value_variance(value, squares, total);
    mean double precision;
    ratio_variance double precision;
begin
    if total is null or variance is null or variance = 0 then
        return 1;
    end if;
    mean := value::double precision / total;
    select 128.0 / 127 * sum(power(coalesce(v.value::double precision, 0) - mean * b.n, 2)) / power(total, 2)
    into ratio_variance
    from unnest(n_buckets) with ordinality as b (n, place)
    left join unnest(buckets, bucket_values) as v (bucket, value) on v.bucket = b.place - 1;
    return greatest(1, ratio_variance * total / variance);
end
$$;
comment on function afterpush.value_design_effect is
    'Returns the variance of a mean value over that of independent deliveries, at least 1; 1 where there is none.';
