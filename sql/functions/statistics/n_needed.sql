-- How many deliveries each variant needs for a two-sided test at 5 % to find the difference of the proportions p1 and
-- p0 with a power of 80 %: J. L. Fleiss, Statistical Methods for Rates and Proportions (2nd edition, 1981), formula
-- 3.14, without continuity correction. 1.959963984540054 and 0.8416212335729143 are the normal quantiles of 0.975 and
-- 0.8.
create or replace function afterpush.n_needed(p1 double precision, p0 double precision) returns bigint
language sql immutable strict parallel safe
return (
    select case when n < 9e18 then ceil(n)::bigint end
    from (
        select case
            -- For a smaller difference, the number doesn't fit into a bigint.
            when p1 between 0 and 1 and p0 between 0 and 1 and abs(p1 - p0) > 1e-18 then power(
                1.959963984540054::double precision * sqrt((p1 + p0) * (2 - p1 - p0) / 2)
                + 0.8416212335729143::double precision * sqrt(p1 * (1 - p1) + p0 * (1 - p0)),
                2
            ) / power(p1 - p0, 2)
        end
    ) as needed (n)
);
comment on function afterpush.n_needed is
    'Returns the deliveries per variant for 80 % power at 5 % to find p1 - p0; null if they are equal, or over 9e18.';
