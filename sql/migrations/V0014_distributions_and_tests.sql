-- Distribution functions and tests for comparisons, in double precision: relative error below 1e-9, far tails included.
-- PostgreSQL 15 has neither erf nor lgamma, so both come from the incomplete gamma function.

-- ln Gamma(a) for a > 0. C. Lanczos, A precision approximation of the gamma function, SIAM Journal on Numerical Analysis
-- B 1 (1964), 86-96, with g = 7 and nine coefficients.
create function afterpush.ln_gamma(a double precision) returns double precision
language sql immutable strict parallel safe
return 0.918938533204672741780329736406::double precision + (a - 0.5) * ln(a + 6.5) - (a + 6.5) + ln(
    0.99999999999980993::double precision + 676.5203681218851 / a - 1259.1392167224028 / (a + 1)
    + 771.32342877765313 / (a + 2) - 176.61502916214059 / (a + 3) + 12.507343278686905 / (a + 4)
    - 0.13857109526572012 / (a + 5) + 9.9843695780195716e-6 / (a + 6) + 1.5056327351493116e-7 / (a + 7)
);
comment on function afterpush.ln_gamma is 'The logarithm of the gamma function, for a > 0.';

-- P(a, x) and Q(a, x) = 1 - P(a, x), the regularised incomplete gamma functions. M. Abramowitz and I. Stegun, Handbook of
-- Mathematical Functions (1964): below a + 1 the series 6.5.29 gives P, above it the continued fraction 6.5.31 gives Q,
-- evaluated by Lentz's method (W. Lentz, Applied Optics 15 (1976), 668-671). Each is taken from the other only where it is
-- the larger one, so neither tail is lost to rounding. PostgreSQL raises an error when a number becomes too small for a
-- double, so what would be is cut off before: e^-745 is the smallest.
create function afterpush.gamma_tails(
    a double precision, x double precision, out lower double precision, out upper double precision
)
language plpgsql immutable strict parallel safe
as $$
declare
    term double precision := 1;
    total double precision := 1;
    exponent double precision;
    b double precision;
    c double precision := 1e300;
    d double precision;
    step double precision;
begin
    if not (a > 0 and a <= 1e6 and x >= 0) or x = 'nan' then
        return;
    elsif x = 0 then
        lower := 0;
        upper := 1;
        return;
    elsif x > 1e9 then
        lower := 1;
        upper := 0;
        return;
    elsif x < a + 1 then
        for n in 1..20000 loop
            exit when x < 1e-280;
            term := term * (x / (a + n));
            total := total + term;
            exit when term < total * 1e-17;
        end loop;
        exponent := a * ln(x) - x - afterpush.ln_gamma(a) - ln(a) + ln(total);
        lower := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
        upper := 1 - lower;
        return;
    end if;
    b := x + 1 - a;
    d := 1 / b;
    total := d;
    for n in 1..20000 loop
        b := b + 2;
        d := 1 / (b - n * (n - a) * d);
        c := b - n * (n - a) / c;
        step := c * d;
        total := total * step;
        exit when abs(step - 1) < 1e-16;
    end loop;
    exponent := a * ln(x) - x - afterpush.ln_gamma(a) + ln(total);
    upper := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
    lower := 1 - upper;
end
$$;
comment on function afterpush.gamma_tails is 'The regularised incomplete gamma functions P and Q; null outside 0 < a <= 10^6, x >= 0.';

create function afterpush.gamma_q(a double precision, x double precision) returns double precision
language sql immutable strict parallel safe
return (afterpush.gamma_tails(a, x)).upper;
comment on function afterpush.gamma_q is 'The upper regularised incomplete gamma function; null outside 0 < a <= 10^6, x >= 0.';

create function afterpush.normal_cdf(z double precision) returns double precision
language sql immutable strict parallel safe
return case
    when z = 'nan' then null
    when abs(z) > 1e3 then case when z > 0 then 1.0 else 0.0 end
    when z < 0 then afterpush.gamma_q(0.5, z * z / 2) / 2
    else 1 - afterpush.gamma_q(0.5, z * z / 2) / 2
end;
comment on function afterpush.normal_cdf is 'The standard normal distribution function.';

-- P. J. Acklam's rational approximation (2003), relative error 1.2e-9, then one step of Halley's method.
create function afterpush.normal_quantile(p double precision) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    q double precision;
    r double precision;
    z double precision;
    e double precision;
begin
    if p = 0 then
        return '-infinity';
    elsif p = 1 then
        return 'infinity';
    elsif not (p > 0 and p < 1) then
        return null;
    elsif p > 0.5 then
        return -afterpush.normal_quantile(1 - p);
    elsif p < 0.02425 then
        q := sqrt(-2 * ln(p));
        z := (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q
            - 2.549732539343734e+00) * q + 4.374664141464968e+00) * q + 2.938163982698783e+00)
            / ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q
            + 3.754408661907416e+00) * q + 1);
    else
        q := p - 0.5;
        r := q * q;
        z := (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r
            + 1.383577518672690e+02) * r - 3.066479806614716e+01) * r + 2.506628277459239e+00) * q
            / (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r
            + 6.680131188771972e+01) * r - 1.328068155288572e+01) * r + 1);
    end if;
    if z * z > 1400 then
        return z;
    end if;
    e := (afterpush.normal_cdf(z) - p) * sqrt(2 * pi()) * exp(z * z / 2);
    return z - e / (1 + z * e / 2);
end
$$;
comment on function afterpush.normal_quantile is 'The quantile of the standard normal distribution; null outside 0 to 1.';

create function afterpush.chi_square_p(statistic double precision, degrees integer) returns double precision
language sql immutable strict parallel safe
return case
    when degrees > 0
    then afterpush.gamma_q(
        degrees / 2.0::double precision, case when statistic between 0 and 1e-307 then 0 else statistic / 2 end
    )
end;
comment on function afterpush.chi_square_p is 'The probability of a chi-square statistic that is at least so large.';

create function afterpush.chi_square_cdf(statistic double precision, degrees integer) returns double precision
language sql immutable strict parallel safe
return case
    when degrees > 0
    then (
        afterpush.gamma_tails(
            degrees / 2.0::double precision, case when statistic between 0 and 1e-307 then 0 else statistic / 2 end
        )
    ).lower
end;
comment on function afterpush.chi_square_cdf is 'The chi-square distribution function.';

-- Newcombe's hybrid score interval at 95 % of the difference k1/n1 - k0/n0: R. G. Newcombe, Interval estimation for the
-- difference between independent proportions, Statistics in Medicine 17 (1998), 873-890, method 10.
-- With p = k / n, a Wilson bound lies z (sqrt(k (n - k) / n + z^2/4) -+ z (1/2 - p)) / (n + z^2) away from p, which keeps the
-- digits that subtracting the bound would lose at a large n; the difference itself is taken exactly.
create function afterpush.wilson_reach(k bigint, n bigint) returns double precision
language sql immutable strict parallel safe
return case
    when k > 0 and k <= n then 1.959963984540054::double precision * (
        sqrt(k::double precision * ((n - k)::double precision / n) + 0.960364705173531::double precision)
        - 1.959963984540054::double precision * (0.5 - k::double precision / n)
    ) / (n + 3.841458820694124::double precision)
    when k = 0 and n > 0 then 0.0
end;
comment on function afterpush.wilson_reach is 'How far the lower bound of the Wilson score interval lies below k/n.';

create function afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0
    then (k1::numeric * n0 - k0::numeric * n1)::double precision / (n1::double precision * n0::double precision)
end;
comment on function afterpush.difference is 'The difference k1/n1 - k0/n0; null unless both are proportions.';

create function afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return afterpush.difference(k1, n1, k0, n0) - sqrt(
    power(afterpush.wilson_reach(k1, n1), 2) + power(afterpush.wilson_reach(n0 - k0, n0), 2)
);
comment on function afterpush.difference_low is 'Lower bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';

create function afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return -afterpush.difference_low(k0, n0, k1, n1);
comment on function afterpush.difference_high is 'Upper bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';

-- Two-sided test of equal proportions with the pooled variance: J. L. Fleiss, Statistical Methods for Rates and
-- Proportions (2nd edition, 1981), 2.2, without continuity correction. Where all or none succeeded there is no difference.
create function afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0 then case
        when k1 + k0 = 0 or k1 + k0 = n1 + n0 then 1.0
        -- The difference as one fraction, exact: k1/n1 and k0/n0 may agree to the last digits.
        else afterpush.gamma_q(
            0.5,
            (power(k1::numeric * n0 - k0::numeric * n1, 2) * (n1 + n0)
                / (n1::numeric * n0 * (k1 + k0) * (n1 + n0 - k1 - k0)))::double precision / 2
        )
    end
end;
comment on function afterpush.two_proportion_p is 'Two-sided p of the pooled two-proportion test.';

-- S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979), 65-70.
create function afterpush.holm(p double precision[]) returns double precision[]
language sql immutable strict parallel safe
as $$
    select coalesce(array_agg(adjusted order by place), '{}')
    from (
        select place, case when q is not null then least(1, max(q * (tests - rank + 1)) over (order by rank)) end as adjusted
        from (
            select q, place, count(q) over () as tests, row_number() over (order by q nulls last, place) as rank
            from unnest(p) with ordinality as u (q, place)
        ) as ranked
    ) as adjusted
$$;
comment on function afterpush.holm is 'p values adjusted by Holm''s method, in the order given; null stays null and counts for nothing.';

-- K. Pearson's goodness of fit test of counts against weights. Null where there is nothing to compare; 0 where something
-- was counted that has no weight.
-- A weight under 1e-100 of the largest counts as 0.
create function afterpush.sample_ratio_p(counts bigint[], weights double precision[]) returns double precision
language sql immutable strict parallel safe
as $$
    select case
        when bool_or(n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity') then null
        when count(*) < 2 or sum(n) = 0 or max(share) is null then null
        when bool_or(share = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(case when share > 0 and total > 0 then power(n - total * share / shares, 2) / (total * share / shares) end),
            (count(*) filter (where share > 0) - 1)::integer
        )
    end
    from (
        select *, sum(share) over () as shares, sum(n) over ()::double precision as total
        from (
            select
                n,
                w,
                case
                    when max(w) over () > 0 and w > max(w) over () * 1e-100 then w / max(w) over ()
                    when max(w) over () > 0 then 0
                end as share
            from unnest(counts, weights) as u (n, w)
        ) as weighed
    ) as counted
$$;
comment on function afterpush.sample_ratio_p is 'Chi-square p of counts against the weights they should follow.';

-- Deliveries per variant for a power of 80 % at 5 %, two-sided, if the proportions are p1 and p0: J. L. Fleiss (1981), 3.14
-- without continuity correction. 1.959963984540054 and 0.8416212335729143 are the normal quantiles of 0.975 and 0.8.
create function afterpush.n_needed(p1 double precision, p0 double precision) returns bigint
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
comment on function afterpush.n_needed is 'Deliveries per variant for 80 % power at 5 % for the difference of p1 and p0; null without one, and from 9e18.';

grant execute on function afterpush.ln_gamma, afterpush.gamma_tails, afterpush.gamma_q, afterpush.normal_cdf,
    afterpush.normal_quantile, afterpush.chi_square_p, afterpush.chi_square_cdf, afterpush.wilson_reach,
    afterpush.difference, afterpush.difference_low, afterpush.difference_high,
    afterpush.two_proportion_p, afterpush.holm, afterpush.sample_ratio_p, afterpush.n_needed
    to afterpush_report;
