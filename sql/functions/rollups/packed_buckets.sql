-- Packed buckets: the numbers of deliveries in 128 device buckets as one number, the sum of the number of bucket b
-- times 10^(8 b). PostgreSQL adds such numbers, and signed differences of them, about as fast as it adds two strings of this
-- length, while adding arrays takes an expression per element. A bucket holds up to 99,999,999 deliveries.

-- devices: a byte per delivery, whose low seven bits are the bucket.
create or replace function afterpush.packed_buckets(devices bytea) returns numeric
language sql immutable strict parallel safe
return (
    select coalesce(sum((deliveries || 'e' || bucket * 8)::numeric), 0)
    from (
        select get_byte(devices, i) & 127 as bucket, count(*) as deliveries
        from generate_series(0, octet_length(devices) - 1) as i
        group by 1
    ) as counted
);
comment on function afterpush.packed_buckets is 'The numbers of deliveries in each device bucket, as one number.';

-- The numbers that were packed, by bucket from 0 on; null if a bucket has overflowed, or is negative.
create or replace function afterpush.unpacked_buckets(packed numeric) returns bigint[]
language plpgsql immutable strict parallel safe
as $$
declare
    -- to_char puts a comma after each bucket, faster than a loop that takes the digits apart.
    pattern constant text := 'FM' || repeat('00000000,', 127) || '00000000';
    last_first bigint[];
begin
    if packed not between 0 and 1e1024::numeric - 1 then
        return null;
    end if;
    last_first := '{' || to_char(packed, pattern) || '}';
    return array(select last_first[i] from generate_series(128, 1, -1) as i);
end
$$;
comment on function afterpush.unpacked_buckets is 'The numbers of deliveries in each device bucket, from packed ones.';

-- The design effect of the rate y / n (statistics/design_effect.sql), from packed buckets.
create or replace function afterpush.packed_design_effect(n numeric, y numeric) returns double precision
language plpgsql immutable parallel safe
as $$
declare
    n_buckets constant bigint[] := afterpush.unpacked_buckets(coalesce(n, 0));
    y_buckets constant bigint[] := afterpush.unpacked_buckets(coalesce(y, 0));
begin
    return afterpush.design_effect(
        afterpush.ratio_variance(n_buckets, y_buckets),
        (select sum(b) from unnest(y_buckets) as b)::bigint,
        (select sum(b) from unnest(n_buckets) as b)::bigint
    );
end
$$;
comment on function afterpush.packed_design_effect is
    'The design effect of a rate, from its packed denominators and numerators; null without deliveries.';
