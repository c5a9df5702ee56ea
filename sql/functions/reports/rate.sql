-- Rates and their intervals. A rate is null when there is nothing to divide by, when the numerator is above the
-- denominator, or below 0 (declared sends that don't cover the deliveries), and when the denominator is under `min_n`.
create or replace function afterpush.rate(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case
    when denominator > 0 and denominator >= min_n and numerator between 0 and denominator
    then numerator::double precision / denominator
end;
comment on function afterpush.rate is
    'numerator / denominator; null when that says nothing or denominator < min_n.';

create or replace function afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_low(numerator, denominator) end;
comment on function afterpush.rate_low is 'Lower bound of the interval of afterpush.rate.';

create or replace function afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) returns double precision
language sql immutable parallel safe
return case when denominator >= min_n then afterpush.wilson_high(numerator, denominator) end;
comment on function afterpush.rate_high is 'Upper bound of the interval of afterpush.rate.';
