-- The Wilson and Newcombe intervals and the two-proportion test for clustered deliveries: k out of n with a design
-- effect (design_effect.sql) are taken for k / design_effect out of n / design_effect. With a design effect of 1 they
-- are those of wilson.sql, difference.sql and two_proportion_p.sql, where the sources stand.
create or replace function afterpush.wilson_low(k bigint, n bigint, design_effect double precision)
returns double precision
language sql immutable parallel safe
return case
    when n > 0 and k = 0 then 0.0
    when n > 0 and k between 1 and n then (
        k / design_effect + 1.920729410347062::double precision
        - 1.959963984540054::double precision
        * sqrt(k::double precision * (n - k) / n / design_effect + 0.960364705173531::double precision)
    ) / (n / design_effect + 3.841458820694124::double precision)
end;
comment on function afterpush.wilson_low(bigint, bigint, double precision) is
    'Returns the lower bound of the Wilson score interval of k out of n clustered deliveries at 95 %.';

create or replace function afterpush.wilson_high(k bigint, n bigint, design_effect double precision)
returns double precision
language sql immutable parallel safe
return 1.0::double precision - afterpush.wilson_low(n - k, n, design_effect);
comment on function afterpush.wilson_high(bigint, bigint, double precision) is
    'Returns the upper bound of the Wilson score interval of k out of n clustered deliveries at 95 %.';

create or replace function afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision)
returns double precision
language sql immutable strict parallel safe
return case
    when k > 0 and k <= n then 1.959963984540054::double precision * (
        sqrt(
            k::double precision * ((n - k)::double precision / n) / design_effect + 0.960364705173531::double precision
        )
        - 1.959963984540054::double precision * (0.5 - k::double precision / n)
    ) / (n / design_effect + 3.841458820694124::double precision)
    when k = 0 and n > 0 then 0.0
end;
comment on function afterpush.wilson_lower_margin(bigint, bigint, double precision) is
    'Returns how far the lower bound of the Wilson score interval of clustered deliveries lies below k/n.';

create or replace function afterpush.difference_low(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision
) returns double precision
language sql immutable strict parallel safe
return afterpush.difference(k1, n1, k0, n0) - sqrt(
    power(afterpush.wilson_lower_margin(k1, n1, design_effect1), 2)
    + power(afterpush.wilson_lower_margin(n0 - k0, n0, design_effect0), 2)
);
comment on function afterpush.difference_low(bigint, bigint, bigint, bigint, double precision, double precision) is
    'Returns the lower bound of Newcombe''s interval of k1/n1 - k0/n0 at 95 % for clustered deliveries.';

create or replace function afterpush.difference_high(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision
) returns double precision
language sql immutable strict parallel safe
return -afterpush.difference_low(k0, n0, k1, n1, design_effect0, design_effect1);
comment on function afterpush.difference_high(bigint, bigint, bigint, bigint, double precision, double precision) is
    'Returns the upper bound of Newcombe''s interval of k1/n1 - k0/n0 at 95 % for clustered deliveries.';

create or replace function afterpush.two_proportion_p(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision
) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0 then case
        when k1 + k0 = 0 or k1 + k0 = n1 + n0 then 1.0
        when design_effect1 = 1 and design_effect0 = 1 then afterpush.two_proportion_p(k1, n1, k0, n0)
        else (
            select afterpush.gamma_q(
                0.5,
                power(afterpush.difference(k1, n1, k0, n0), 2)
                    / (p * q * (design_effect1 / n1 + design_effect0 / n0)) / 2
            )
            from (
                select
                    (k1 / design_effect1 + k0 / design_effect0) / (n1 / design_effect1 + n0 / design_effect0),
                    ((n1 - k1) / design_effect1 + (n0 - k0) / design_effect0)
                        / (n1 / design_effect1 + n0 / design_effect0)
            ) as pooled (p, q)
        )
    end
end;
comment on function afterpush.two_proportion_p(bigint, bigint, bigint, bigint, double precision, double precision) is
    'Returns the two-sided p-value of the pooled two-proportion test for clustered deliveries.';
