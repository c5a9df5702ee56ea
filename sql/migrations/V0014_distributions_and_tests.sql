-- Distribution functions and tests for comparisons, in double precision: relative error below 1e-10, far tails included.
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

-- Q(a, x), the upper regularised incomplete gamma function. M. Abramowitz and I. Stegun, Handbook of Mathematical
-- Functions (1964): the series 6.5.29 of P = 1 - Q below a + 1, the continued fraction 6.5.31 above it, evaluated by
-- Lentz's method (W. Lentz, Applied Optics 15 (1976), 668-671).
create function afterpush.gamma_q(a double precision, x double precision) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    term double precision;
    total double precision;
    b double precision;
    c double precision;
    d double precision;
    step double precision;
begin
    if not (a > 0) or not (x >= 0) or a = 'infinity' or a = 'nan' or x = 'nan' then
        return null;
    elsif x = 0 then
        return 1;
    elsif x = 'infinity' or x - a * ln(x) > 740 + a then
        -- Below the smallest double.
        return 0;
    elsif x < a + 1 then
        term := 1 / a;
        total := term;
        for n in 1..10000 loop
            term := term * x / (a + n);
            total := total + term;
            exit when term < total * 1e-17;
        end loop;
        return 1 - total * exp(a * ln(x) - x - afterpush.ln_gamma(a));
    end if;
    b := x + 1 - a;
    c := 1e300;
    d := 1 / b;
    total := d;
    for n in 1..10000 loop
        b := b + 2;
        d := 1 / (b - n * (n - a) * d);
        c := b - n * (n - a) / c;
        step := c * d;
        total := total * step;
        exit when abs(step - 1) < 1e-16;
    end loop;
    if a * ln(x) - x - afterpush.ln_gamma(a) + ln(total) < -744 then
        return 0;
    end if;
    return exp(a * ln(x) - x - afterpush.ln_gamma(a) + ln(total));
end
$$;
comment on function afterpush.gamma_q is 'The upper regularised incomplete gamma function; null outside a > 0, x >= 0.';

create function afterpush.normal_cdf(z double precision) returns double precision
language sql immutable strict parallel safe
return case
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
return case when degrees > 0 then afterpush.gamma_q(degrees / 2.0::double precision, statistic / 2) end;
comment on function afterpush.chi_square_p is 'The probability of a chi-square statistic that is at least so large.';

create function afterpush.chi_square_cdf(statistic double precision, degrees integer) returns double precision
language sql immutable strict parallel safe
return 1 - afterpush.chi_square_p(statistic, degrees);
comment on function afterpush.chi_square_cdf is 'The chi-square distribution function.';

-- Newcombe's hybrid score interval at 95 % of the difference k1/n1 - k0/n0: R. G. Newcombe, Interval estimation for the
-- difference between independent proportions, Statistics in Medicine 17 (1998), 873-890, method 10.
create function afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) returns double precision
language sql immutable strict parallel safe
return k1::double precision / nullif(n1, 0) - k0::double precision / nullif(n0, 0) - sqrt(
    power(k1::double precision / nullif(n1, 0) - afterpush.wilson_low(k1, n1), 2)
    + power(afterpush.wilson_high(k0, n0) - k0::double precision / nullif(n0, 0), 2)
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
create function afterpush.sample_ratio_p(counts bigint[], weights double precision[]) returns double precision
language sql immutable strict parallel safe
as $$
    select case
        when count(*) < 2 or sum(n) = 0 or not sum(w) > 0 or bool_or(n is null or w is null or n < 0 or w < 0) then null
        when bool_or(w = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(power(n - total * w / weight, 2) / nullif(total * w / weight, 0)),
            (count(*) filter (where w > 0) - 1)::integer
        )
    end
    from (
        select n, w, sum(n) over ()::double precision as total, nullif(sum(w) over (), 0) as weight
        from unnest(counts, weights) as u (n, w)
    ) as counted
$$;
comment on function afterpush.sample_ratio_p is 'Chi-square p of counts against the weights they should follow.';

-- Deliveries per variant for a power of 80 % at 5 %, two-sided, if the proportions are p1 and p0: J. L. Fleiss (1981), 3.14
-- without continuity correction. 1.959963984540054 and 0.8416212335729143 are the normal quantiles of 0.975 and 0.8.
create function afterpush.n_needed(p1 double precision, p0 double precision) returns bigint
language sql immutable strict parallel safe
return case
    when p1 <> p0 and p1 between 0 and 1 and p0 between 0 and 1 and abs(p1 - p0) > 1e-8 then ceil(
        power(
            1.959963984540054::double precision * sqrt((p1 + p0) * (2 - p1 - p0) / 2)
            + 0.8416212335729143::double precision * sqrt(p1 * (1 - p1) + p0 * (1 - p0)),
            2
        ) / power(p1 - p0, 2)
    )::bigint
end;
comment on function afterpush.n_needed is 'Deliveries per variant for 80 % power at 5 % for the difference of p1 and p0; null without one.';

grant execute on function afterpush.ln_gamma, afterpush.gamma_q, afterpush.normal_cdf, afterpush.normal_quantile,
    afterpush.chi_square_p, afterpush.chi_square_cdf, afterpush.difference_low, afterpush.difference_high,
    afterpush.two_proportion_p, afterpush.holm, afterpush.sample_ratio_p, afterpush.n_needed
    to afterpush_report;
