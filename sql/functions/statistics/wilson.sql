-- The Wilson score interval of a proportion at 95 %: E. B. Wilson, Probable inference, the law of succession, and
-- statistical inference, Journal of the American Statistical Association 22 (1927), 209-212. z is the 0.975 quantile
-- of the normal distribution, 1.959963984540054; z^2 is 3.841458820694124. With p = k / n:
--   (p + z^2/2n -+ z sqrt(p (1 - p) / n + z^2/4n^2)) / (1 + z^2/n)
--
-- design_effect: that of the proportion (design_effect.sql). The interval is that of k and n divided by it.
create or replace function afterpush.wilson_low(k bigint, n bigint, design_effect double precision default 1)
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
comment on function afterpush.wilson_low is
    'Returns the lower bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

create or replace function afterpush.wilson_high(k bigint, n bigint, design_effect double precision default 1)
returns double precision
language sql immutable parallel safe
return 1.0::double precision - afterpush.wilson_low(n - k, n, design_effect);
comment on function afterpush.wilson_high is
    'Returns the upper bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

-- The distance from k/n to the lower bound, for Newcombe's interval of a difference (difference.sql).
--
-- With p = k / n it is z (sqrt(k (n - k) / n + z^2/4) - z (1/2 - p)) / (n + z^2). Subtracting the bound from p instead
-- would lose digits for a large n.
create or replace function afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision default 1)
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
comment on function afterpush.wilson_lower_margin is
    'Returns how far the lower bound of the Wilson score interval of k out of n lies below k/n.';
