-- The mean of a value per delivery, with an interval at 95 % from the variance over all deliveries of the base. Most of
-- these have no value and count as 0, so the sums over those that have one are enough.
--
-- n:       the deliveries of the base.
-- valued:  those of them that have a value; total, squares: the sums of their values and of the squares of these.
-- min_n:   as for a rate, the mean is null over fewer deliveries, or if more have a value than the base has.
--
-- Sums are exact numbers, so nothing is lost when almost equal ones are subtracted.
create or replace function afterpush.mean_value(total numeric, valued bigint, n bigint, min_n bigint) returns numeric
language sql immutable parallel safe
return case when n > 0 and n >= min_n and valued <= n then total / n end;
comment on function afterpush.mean_value is
    'total / n; null if n is 0 or under min_n, or if more deliveries have a value than the base has.';

-- The variance of the sample, with n - 1 in its denominator; null for fewer than two deliveries.
create or replace function afterpush.value_variance(total numeric, squares numeric, n bigint) returns numeric
language sql immutable parallel safe
return case
    when n > 1 then greatest((n::numeric * squares - total * total) / (n::numeric * (n - 1)), 0)
end;
comment on function afterpush.value_variance is 'The variance of values over n deliveries, those without one being 0.';

-- Half the width of the interval: the quantile of Student's t with n - 1 degrees of freedom times the standard error.
--
-- design_effect: that of the mean (value_design_effect); without it, deliveries count as independent.
create or replace function afterpush.mean_value_margin(
    total numeric, squares numeric, valued bigint, n bigint, min_n bigint, design_effect double precision default 1
) returns double precision
language sql immutable parallel safe
return case
    when n > 1 and n >= min_n and valued <= n
    then afterpush.student_t_quantile(n / design_effect - 1)
        * sqrt(afterpush.value_variance(total, squares, n)::double precision / (n / design_effect))
end;
comment on function afterpush.mean_value_margin is
    'Returns half the width of the interval of mean_value at 95 %; null for fewer than two deliveries.';
