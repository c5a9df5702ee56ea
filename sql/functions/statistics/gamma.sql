-- The gamma functions that the distributions of these statistics are computed from, because PostgreSQL 15 has neither
-- erf nor lgamma. Double precision; the relative error is below 1e-9, also far out in the tails.

-- ln Gamma(a) for a > 0: C. Lanczos, A precision approximation of the gamma function, SIAM Journal on Numerical
-- Analysis B 1 (1964), 86-96, with g = 7 and nine coefficients.
create or replace function afterpush.ln_gamma(a double precision) returns double precision
language sql immutable strict parallel safe
return 0.918938533204672741780329736406::double precision + (a - 0.5) * ln(a + 6.5) - (a + 6.5) + ln(
    0.99999999999980993::double precision + 676.5203681218851 / a - 1259.1392167224028 / (a + 1)
    + 771.32342877765313 / (a + 2) - 176.61502916214059 / (a + 3) + 12.507343278686905 / (a + 4)
    - 0.13857109526572012 / (a + 5) + 9.9843695780195716e-6 / (a + 6) + 1.5056327351493116e-7 / (a + 7)
);
comment on function afterpush.ln_gamma is 'Returns the natural logarithm of the gamma function, for a > 0.';

-- P(a, x) and Q(a, x) = 1 - P(a, x), the regularised incomplete gamma functions. M. Abramowitz and I. Stegun,
-- Handbook of Mathematical Functions (1964): below a + 1 the series 6.5.29 gives P, above it the continued fraction
-- 6.5.31 gives Q, evaluated by Lentz's method (W. Lentz, Applied Optics 15 (1976), 668-671). The larger of the two is
-- computed as 1 minus the smaller, so rounding loses neither tail.
--
-- PostgreSQL raises an error when a result is too small for a double. The smallest is about e^-745, so smaller results
-- are replaced by 0 before they are computed.
create or replace function afterpush.gamma_tails(
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
comment on function afterpush.gamma_tails is
    'Returns the regularised incomplete gamma functions P (lower) and Q (upper); null outside 0 < a <= 10^6, x >= 0.';

create or replace function afterpush.gamma_q(a double precision, x double precision) returns double precision
language sql immutable strict parallel safe
return (afterpush.gamma_tails(a, x)).upper;
comment on function afterpush.gamma_q is
    'Returns the upper regularised incomplete gamma function; null outside 0 < a <= 10^6, x >= 0.';
