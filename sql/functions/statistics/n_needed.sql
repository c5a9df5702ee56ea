-- Deliveries per variant for a power of 80 % at 5 %, two-sided, if the proportions are p1 and p0: J. L. Fleiss (1981), 3.14
-- without continuity correction. 1.959963984540054 and 0.8416212335729143 are the normal quantiles of 0.975 and 0.8.
create or replace function afterpush.n_needed(p1 double precision, p0 double precision) returns bigint
language sql immutable strict parallel safe
return (
    select case when n < 9e18 then ceil(n)::bigint end
    from (
        select case
            -- Nearer to each other than this, and more would be needed than a bigint holds.
            when p1 between 0 and 1 and p0 between 0 and 1 and abs(p1 - p0) > 1e-18 then power(
                1.959963984540054::double precision * sqrt((p1 + p0) * (2 - p1 - p0) / 2)
                + 0.8416212335729143::double precision * sqrt(p1 * (1 - p1) + p0 * (1 - p0)),
                2
            ) / power(p1 - p0, 2)
        end
    ) as needed (n)
);
comment on function afterpush.n_needed is
    'Deliveries per variant for 80 % power at 5 % for the difference of p1 and p0; null without one, and from 9e18.';
