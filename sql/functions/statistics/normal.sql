-- The standard normal distribution function and its inverse.

-- From the incomplete gamma function: erfc(z / sqrt(2)) is Q(1/2, z^2 / 2). Beyond 1000 the result is 0 or 1, and z^2
-- is not computed.
create or replace function afterpush.normal_cdf(z double precision) returns double precision
language sql immutable strict parallel safe
return case
    when z = 'nan' then null
    when abs(z) > 1e3 then case when z > 0 then 1.0 else 0.0 end
    when z < 0 then afterpush.gamma_q(0.5, z * z / 2) / 2
    else 1 - afterpush.gamma_q(0.5, z * z / 2) / 2
end;
comment on function afterpush.normal_cdf is 'Returns the standard normal distribution function; null for NaN.';

-- P. J. Acklam's rational approximation (2003), with a relative error of 1.2e-9, followed by one step of Halley's
-- method, which is skipped where exp(z^2 / 2) would overflow.
create or replace function afterpush.normal_quantile(p double precision) returns double precision
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
comment on function afterpush.normal_quantile is
    'Returns the quantile of the standard normal distribution; null outside 0 to 1.';
