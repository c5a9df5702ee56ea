-- Student's t distribution, for Welch's interval.

-- The probability of a value of at least t in absolute size: I(df / (df + t^2); df / 2, 1 / 2), the regularised
-- incomplete beta function. Its continued fraction is 26.5.8 of M. Abramowitz and I. Stegun, Handbook of Mathematical
-- Functions (1964), evaluated by Lentz's method (W. Lentz, Applied Optics 15 (1976), 668-671), on the side of the
-- distribution where it converges fast.
--
-- PostgreSQL raises an error when a result is too small for a double. The smallest is about e^-745, so smaller results
-- are replaced by 0 before they are computed. The degrees of freedom are limited because the logarithms of large gamma
-- functions leave too few digits for their difference.
create or replace function afterpush.student_t_p(t double precision, df double precision) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    a double precision := df / 2;
    b double precision := 0.5;
    x double precision;
    y double precision;
    swapped boolean;
    exponent double precision;
    numerator double precision;
    c double precision := 1;
    d double precision;
    fraction double precision;
    step double precision;
    result double precision;
begin
    if not (df > 0 and df <= 1e4) or t = 'nan' then
        return null;
    elsif abs(t) < 1e-150 then
        return 1;
    elsif abs(t) > 1e100 then
        return 0;
    end if;
    x := df / (df + t * t);
    y := t * t / (df + t * t);
    exponent := afterpush.ln_gamma(a + b) - afterpush.ln_gamma(a) - afterpush.ln_gamma(b) + a * ln(x) + b * ln(y);
    swapped := x > (a + 1) / (a + b + 2);
    if swapped then
        x := y;
        b := a;
        a := 0.5;
    end if;
    d := 1 / (1 - (a + b) * x / (a + 1));
    fraction := d;
    for m in 1..20000 loop
        numerator := m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d := 1 / (1 + numerator * d);
        c := 1 + numerator / c;
        fraction := fraction * c * d;
        numerator := -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d := 1 / (1 + numerator * d);
        c := 1 + numerator / c;
        step := c * d;
        fraction := fraction * step;
        exit when abs(step - 1) < 1e-16;
    end loop;
    exponent := exponent + ln(fraction / a);
    result := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
    return case when swapped then 1 - result else result end;
end
$$;
comment on function afterpush.student_t_p is
    'Returns the two-sided p-value of Student''s t; null outside 0 < df <= 10^4.';

-- The quantile of 0.975, by which a two-sided interval at 95 % is wide.
--
-- From 300 degrees of freedom on by the expansion of R. A. Fisher and E. A. Cornish, The percentile points of
-- distributions having known cumulants, Technometrics 2 (1960), 209-225, in Abramowitz and Stegun 26.7.5, whose error
-- is below 1e-12 there; z is 1.959963984540054. Below that by Newton's method, with the density of the distribution as
-- the slope. It starts below the quantile, from where it approaches without overshooting, because the tail is convex.
create or replace function afterpush.student_t_quantile(df double precision) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    z constant double precision := 1.959963984540054;
    t double precision;
    density double precision;
    step double precision;
begin
    if not (df >= 1) or df = 'nan' then
        return null;
    elsif df >= 300 then
        return z
            + (power(z, 3) + z) / 4 / df
            + (5 * power(z, 5) + 16 * power(z, 3) + 3 * z) / 96 / df / df
            + (3 * power(z, 7) + 19 * power(z, 5) + 17 * power(z, 3) - 15 * z) / 384 / df / df / df
            + (79 * power(z, 9) + 776 * power(z, 7) + 1482 * power(z, 5) - 1920 * power(z, 3) - 945 * z) / 92160
                / df / df / df / df;
    end if;
    t := z;
    for i in 1..200 loop
        density := exp(
            afterpush.ln_gamma((df + 1) / 2) - afterpush.ln_gamma(df / 2) - ln(df * pi()) / 2
            - (df + 1) / 2 * ln(1 + t * t / df)
        );
        step := (afterpush.student_t_p(t, df) - 0.05) / (2 * density);
        t := t + step;
        exit when abs(step) < 1e-13 * t;
    end loop;
    return t;
end
$$;
comment on function afterpush.student_t_quantile is
    'Returns the quantile of 0.975 of Student''s t distribution; null below 1 degree of freedom.';
