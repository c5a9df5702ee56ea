-- The difference of two proportions, k1 of n1 and k0 of n0, with an interval and a p-value that hold at every look: the
-- asymptotic confidence sequence with Robbins' normal mixture. I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy,
-- A. Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics 52 (2024),
-- 2613-2640, arXiv 2103.06476, theorem 2.2 and appendix B.2 for r^2. With
--   n = n1 + n0, after each was divided by its design effect (design_effect.sql), and k as well
--   d = k1/n1 - k0/n0
--   s^2 = n (q1 (1 - q1) / n1 + q0 (1 - q0) / n0), where q = (k + 1) / (n + 2), so that no variance is 0
--   alpha = 0.05 / comparisons
--   r^2 = (-2 ln alpha + ln(1 - 2 ln alpha)) / planned
-- the interval is d -+ sqrt(s^2) sqrt(2 (n r^2 + 1) / (n^2 r^2) ln(sqrt(n r^2 + 1) / alpha)), and
--   p = sqrt(n r^2 + 1) exp(-n^2 r^2 d^2 / (2 s^2 (n r^2 + 1))), times comparisons, at most 1.
-- The interval leaves out 0 exactly when p is under 0.05.
--
-- design_effect1, design_effect0: of the two proportions.
-- planned: deliveries at which the interval is to be narrowest; it holds for any.
-- comparisons: the number of differences that are looked at together.

-- r^2
create or replace function afterpush.anytime_mixture(planned bigint, comparisons integer) returns double precision
language sql immutable strict parallel safe
return case
    when planned > 0 and comparisons > 0
    then (-2 * ln(0.05::double precision / comparisons) + ln(1 - 2 * ln(0.05::double precision / comparisons)))
        / planned
end;
comment on function afterpush.anytime_mixture is
    'Returns the variance of the normal mixture of an asymptotic confidence sequence.';

-- s^2 / n
create or replace function afterpush.anytime_variance(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision
) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0
    then
        (k1 / design_effect1 + 1) * ((n1 - k1) / design_effect1 + 1) / power(n1 / design_effect1 + 2, 2)
            * design_effect1 / n1
        + (k0 / design_effect0 + 1) * ((n0 - k0) / design_effect0 + 1) / power(n0 / design_effect0 + 2, 2)
            * design_effect0 / n0
end;
comment on function afterpush.anytime_variance is
    'Returns the variance of k1/n1 - k0/n0 that an asymptotic confidence sequence uses; null unless both are rates.';

-- Half the width of the interval.
create or replace function afterpush.difference_anytime_margin(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision,
    planned bigint, comparisons integer
) returns double precision
language sql immutable strict parallel safe
return (
    select sqrt(variance * 2 * (nr2 + 1) / nr2 * (ln(nr2 + 1) / 2 - ln(0.05::double precision / comparisons)))
    from (
        select
            afterpush.anytime_variance(k1, n1, k0, n0, design_effect1, design_effect0) as variance,
            (n1 / design_effect1 + n0 / design_effect0) * afterpush.anytime_mixture(planned, comparisons) as nr2
    ) as v
);
comment on function afterpush.difference_anytime_margin is
    'Returns half the width of the anytime interval of k1/n1 - k0/n0 at 95 %; null unless both are proportions.';

create or replace function afterpush.difference_low_anytime(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision,
    planned bigint, comparisons integer
) returns double precision
language sql immutable strict parallel safe
return afterpush.difference(k1, n1, k0, n0) - afterpush.difference_anytime_margin(
    k1, n1, k0, n0, design_effect1, design_effect0, planned, comparisons
);
comment on function afterpush.difference_low_anytime is
    'Returns the lower bound of the interval of k1/n1 - k0/n0 at 95 % that holds at every look.';

create or replace function afterpush.difference_high_anytime(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision,
    planned bigint, comparisons integer
) returns double precision
language sql immutable strict parallel safe
return afterpush.difference(k1, n1, k0, n0) + afterpush.difference_anytime_margin(
    k1, n1, k0, n0, design_effect1, design_effect0, planned, comparisons
);
comment on function afterpush.difference_high_anytime is
    'Returns the upper bound of the interval of k1/n1 - k0/n0 at 95 % that holds at every look.';

-- PostgreSQL raises an error when a result is too small for a double. The smallest is about e^-745, so smaller results
-- are replaced by 0 before they are computed.
create or replace function afterpush.p_anytime(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision,
    planned bigint, comparisons integer
) returns double precision
language sql immutable strict parallel safe
return (
    select case when exponent > -745 then least(1, exp(least(exponent, 0))) else 0 end
    from (
        select
            ln(comparisons::double precision) + ln(nr2 + 1) / 2
            - power(afterpush.difference(k1, n1, k0, n0), 2) / variance * nr2 / (nr2 + 1) / 2 as exponent
        from (
            select
                afterpush.anytime_variance(k1, n1, k0, n0, design_effect1, design_effect0) as variance,
                (n1 / design_effect1 + n0 / design_effect0) * afterpush.anytime_mixture(planned, comparisons) as nr2
        ) as v
    ) as e
    where exponent is not null
);
comment on function afterpush.p_anytime is
    'Returns the p-value of equal proportions that holds at every look; null unless both are proportions.';
