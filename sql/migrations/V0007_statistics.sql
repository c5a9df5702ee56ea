-- Rates and their intervals. A rate is null when there is nothing to divide by, when the numerator is above the
-- denominator, or below 0 (declared sends that don't cover the deliveries), and when the denominator is under `min_n`.

create function afterpush.rate(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case
    when denominator > 0 and denominator >= min_n and numerator between 0 and denominator
    then numerator::double precision / denominator
end;
comment on function afterpush.rate is 'numerator / denominator; null when that says nothing or denominator < min_n.';

-- Wilson score interval at 95 %: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
-- Journal of the American Statistical Association 22 (1927), 209-212. z is the 0.975 quantile of the normal
-- distribution, 1.959963984540054; z^2 is 3.841458820694124. With p = k / n:
--   (p + z^2/2n -+ z sqrt(p (1 - p) / n + z^2/4n^2)) / (1 + z^2/n)
create function afterpush.wilson_low(k bigint, n bigint) returns double precision
language sql immutable parallel safe
return case
    when n > 0 and k = 0 then 0.0
    when n > 0 and k between 1 and n then (
        k + 1.920729410347062::double precision
        - 1.959963984540054::double precision
        * sqrt(k::double precision * (n - k) / n + 0.960364705173531::double precision)
    ) / (n + 3.841458820694124::double precision)
end;
comment on function afterpush.wilson_low is 'Lower bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

create function afterpush.wilson_high(k bigint, n bigint) returns double precision
language sql immutable parallel safe
return 1.0::double precision - afterpush.wilson_low(n - k, n);
comment on function afterpush.wilson_high is 'Upper bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

create function afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_low(numerator, denominator) end;
comment on function afterpush.rate_low is 'Lower bound of the interval of afterpush.rate.';

create function afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_high(numerator, denominator) end;
comment on function afterpush.rate_high is 'Upper bound of the interval of afterpush.rate.';

-- Whether min_n hides a rate that could be computed otherwise.
create function afterpush.suppressed(min_n bigint, variadic denominators bigint[]) returns boolean
language sql immutable parallel safe
return exists (select from unnest(denominators) as n where n > 0 and n < min_n);
comment on function afterpush.suppressed is 'Whether a denominator is above 0 and under min_n.';
