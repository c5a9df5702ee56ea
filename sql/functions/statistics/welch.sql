-- Welch's interval of the difference of two means at 95 %: B. L. Welch, The generalization of "Student's" problem when
-- several different population variances are involved, Biometrika 34 (1947), 28-35, with the degrees of freedom of
-- F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bulletin 2 (1946),
-- 110-114.
--
-- variance1, n1: of the first sample; variance1 is the sample's, with n1 - 1 in its denominator.
-- variance0, n0: of the second.
--
-- n may be a fraction: the number of values divided by their design effect (design_effect.sql).
create or replace function afterpush.welch_margin(
    variance1 double precision, n1 double precision, variance0 double precision, n0 double precision
) returns double precision
language sql immutable strict parallel safe
return case
    when not (n1 > 1 and n0 > 1 and variance1 >= 0 and variance0 >= 0) then null
    when variance1 = 0 and variance0 = 0 then 0.0
    else afterpush.student_t_quantile(
        -- Of the shares of the two variances in their sum, so that no square is too large or too small for a double.
        1 / (
            power(variance1 / n1 / (variance1 / n1 + variance0 / n0), 2) / (n1 - 1)
            + power(variance0 / n0 / (variance1 / n1 + variance0 / n0), 2) / (n0 - 1)
        )
    ) * sqrt(variance1 / n1 + variance0 / n0)
end;
comment on function afterpush.welch_margin is
    'Returns half the width of Welch''s interval of a difference of means at 95 %; null unless both n are over 1.';
