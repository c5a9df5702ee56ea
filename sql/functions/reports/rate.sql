-- Rates and their intervals. A rate is null if its denominator is 0 or under `min_n`, or if its numerator is below 0 or
-- above the denominator (declared sends that don't cover the deliveries).
create or replace function afterpush.rate(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case
    when denominator > 0 and denominator >= min_n and numerator between 0 and denominator
    then numerator::double precision / denominator
end;
comment on function afterpush.rate is
    'numerator / denominator; null if the denominator is 0 or under min_n, '
    'or the numerator is negative or larger than the denominator.';

-- design_effect: that of the rate (statistics/design_effect.sql); without it, deliveries count as independent.
create or replace function afterpush.rate_low(
    numerator bigint, denominator bigint, min_n bigint, design_effect double precision default 1
) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_low(numerator, denominator, design_effect) end;
comment on function afterpush.rate_low is 'Lower bound of the interval of afterpush.rate.';

create or replace function afterpush.rate_high(
    numerator bigint, denominator bigint, min_n bigint, design_effect double precision default 1
) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_high(numerator, denominator, design_effect) end;
comment on function afterpush.rate_high is 'Upper bound of the interval of afterpush.rate.';
