-- The two-sided p-value of the test that two proportions, k1 of n1 and k0 of n0, are equal, with the pooled variance:
-- J. L. Fleiss, Statistical Methods for Rates and Proportions (2nd edition, 1981), section 2.2, without continuity
-- correction. It is 1 if all or none succeeded in both groups.
--
-- design_effect1, design_effect0: those of the two proportions (design_effect.sql). The test is that of the numbers
-- divided by them.
create or replace function afterpush.two_proportion_p(
    k1 bigint, n1 bigint, k0 bigint, n0 bigint,
    design_effect1 double precision default 1, design_effect0 double precision default 1
) returns double precision
language sql immutable strict parallel safe
return case
    when n1 > 0 and n0 > 0 and k1 between 0 and n1 and k0 between 0 and n0 then case
        when k1 + k0 = 0 or k1 + k0 = n1 + n0 then 1.0
        -- The difference is one exact fraction: k1/n1 and k0/n0 may agree in all but their last digits.
        when design_effect1 = 1 and design_effect0 = 1 then afterpush.gamma_q(
            0.5,
            (power(k1::numeric * n0 - k0::numeric * n1, 2) * (n1 + n0)
                / (n1::numeric * n0 * (k1 + k0) * (n1 + n0 - k1 - k0)))::double precision / 2
        )
        else (
            select afterpush.gamma_q(
                0.5,
                power(afterpush.difference(k1, n1, k0, n0), 2)
                    / (p * q * (design_effect1 / n1 + design_effect0 / n0)) / 2
            )
            from (
                select
                    (k1 / design_effect1 + k0 / design_effect0) / (n1 / design_effect1 + n0 / design_effect0),
                    ((n1 - k1) / design_effect1 + (n0 - k0) / design_effect0)
                        / (n1 / design_effect1 + n0 / design_effect0)
            ) as pooled (p, q)
        )
    end
end;
comment on function afterpush.two_proportion_p is
    'Returns the two-sided p-value of the pooled two-proportion test; null unless both are proportions.';
