-- The upper tail of the chi-square distribution, from the incomplete gamma function: Q(degrees / 2, statistic / 2).
--
-- PostgreSQL raises an error when a division underflows, so statistics under 1e-307 are taken as 0.
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
