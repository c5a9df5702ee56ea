-- The chi-square distribution, from the incomplete gamma function: P(degrees / 2, statistic / 2).
--
-- PostgreSQL raises an error when a division underflows, so statistics under 1e-307 are taken as 0.
create or replace function afterpush.chi_square_cdf(statistic double precision, degrees integer)
returns double precision
language sql immutable strict parallel safe
return case
    when degrees > 0
    then (
        afterpush.gamma_tails(
            degrees / 2.0::double precision, case when statistic between 0 and 1e-307 then 0 else statistic / 2 end
        )
    ).lower
end;
comment on function afterpush.chi_square_cdf is
    'Returns the chi-square distribution function; null without degrees of freedom.';

create or replace function afterpush.chi_square_p(statistic double precision, degrees integer) returns double precision
language sql immutable strict parallel safe
return case
    when degrees > 0
    then afterpush.gamma_q(
        degrees / 2.0::double precision, case when statistic between 0 and 1e-307 then 0 else statistic / 2 end
    )
end;
comment on function afterpush.chi_square_p is
    'Returns the probability of a chi-square statistic of at least this size; null without degrees of freedom.';
