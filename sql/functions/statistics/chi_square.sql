create or replace function afterpush.chi_square_cdf(statistic double precision, degrees integer) returns double precision
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

create or replace function afterpush.chi_square_p(statistic double precision, degrees integer) returns double precision
language sql immutable strict parallel safe
return case
    when degrees > 0
    then afterpush.gamma_q(
        degrees / 2.0::double precision, case when statistic between 0 and 1e-307 then 0 else statistic / 2 end
    )
end;
comment on function afterpush.chi_square_p is
    'The probability of a chi-square statistic that is at least so large.';
