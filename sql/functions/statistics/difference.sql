-- The difference of two proportions, k1 of n1 and k0 of n0, with Newcombe's hybrid score interval at 95 %:
-- R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
-- (1998), 873-890, method 10. Its bounds combine the margins of the two Wilson intervals.
--
-- The difference is taken as one fraction of exact numbers, because k1/n1 and k0/n0 may agree in all but their last
-- digits.
create or replace function afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0
    then (k1::numeric * n0 - k0::numeric * n1)::double precision / (n1::double precision * n0::double precision)
end;
comment on function afterpush.difference is 'Returns the difference k1/n1 - k0/n0; null unless both are proportions.';

-- design_effect1, design_effect0: those of the two proportions (design_effect.sql).
create or replace function afterpush.difference_low(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint,
    design_effect1 double precision default 1, design_effect0 double precision default 1
) returns double precision
language sql immutable strict parallel safe
return afterpush.difference(k1, n1, k0, n0) - sqrt(
    power(afterpush.wilson_lower_margin(k1, n1, design_effect1), 2)
    + power(afterpush.wilson_lower_margin(n0 - k0, n0, design_effect0), 2)
);
comment on function afterpush.difference_low is
    'Returns the lower bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';

create or replace function afterpush.difference_high(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint,
    design_effect1 double precision default 1, design_effect0 double precision default 1
) returns double precision
language sql immutable strict parallel safe
return -afterpush.difference_low(k0, n0, k1, n1, design_effect0, design_effect1);
comment on function afterpush.difference_high is
    'Returns the upper bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';
