-- The sample ratio test that holds at every look: M. Lindon, A. Malek, Anytime-valid inference for multinomial count
-- data, NeurIPS 35 (2022), 2817-2831, arXiv 2011.03567, equations 4 and 6. Its p-value is 1 over the Bayes factor of
-- a Dirichlet prior against the declared weights. With K variants, their shares w (of the sum of the weights), their
-- numbers of deliveries x, after they were divided by their design effect (sample_ratio_design_effect), n = sum(x):
--   prior a = K w: uniform for equal weights, and concentrated as much as a uniform one for others
--   Bayes factor = Gamma(K) / Gamma(K + n) * product(Gamma(a + x) / Gamma(a)) / product(w^x)
--
-- Returns null and 0 as sample_ratio_p does, of which it is the counterpart.
--
-- The logarithms of gamma functions of large numbers leave too few digits for their differences. So the large terms of
-- Stirling's formula are combined first: they are the sum of m phi((a + x) / m - 1) with m = (K + n) w and
-- phi(e) = (1 + e) ln(1 + e) - e. For a small e, phi is summed as a series.
create or replace function afterpush.sample_ratio_p_anytime(
    counts bigint[], weights double precision[], design_effect double precision default 1
) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    largest constant double precision := (select max(w) from unnest(weights) as w);
    variants integer := 0;
    all_shares double precision := 0;
    total double precision := 0;
    shares double precision[];
    share double precision;
    expected double precision;
    e double precision;
    exponent double precision;
begin
    if cardinality(counts) < 2 or cardinality(counts) <> cardinality(weights)
        or exists (
            select
            from unnest(counts, weights) as u (n, w)
            where n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity'
        )
        or not largest > 0 or not design_effect >= 1 or design_effect = 'infinity'
        or (select sum(n) = 0 from unnest(counts) as n)
    then
        return null;
    end if;
    for i in 1..cardinality(counts) loop
        shares[i] := case when weights[i] > largest * 1e-100 then weights[i] / largest else 0 end;
        if shares[i] = 0 and counts[i] > 0 then
            return 0;
        end if;
        all_shares := all_shares + shares[i];
        variants := variants + (shares[i] > 0)::integer;
        total := total + counts[i] / design_effect;
    end loop;
    if variants < 2 then
        return null;
    end if;
    -- exponent: the logarithm of the Bayes factor
    exponent := ln(variants + total) / 2 + (variants - 1) * 0.918938533204672741780329736406::double precision
        - afterpush.stirling_error(variants + total) + afterpush.ln_gamma(variants);
    for i in 1..cardinality(counts) loop
        share := shares[i] / all_shares;
        continue when share = 0;
        expected := (variants + total) * share;
        e := (counts[i] / design_effect - total * share) / expected;
        exponent := exponent + expected * afterpush.entropy_term(e) - ln(expected * (1 + e)) / 2
            + afterpush.stirling_error(expected * (1 + e))
            -- ln Gamma(a) - a ln w, where Gamma(a) is Gamma(a + 1) / a because a may be close to 0
            - (afterpush.ln_gamma(variants * share + 1) - ln(variants * share)) + variants * share * ln(share);
    end loop;
    return case when exponent < 745 then exp(-greatest(exponent, 0)) else 0 end;
end
$$;
comment on function afterpush.sample_ratio_p_anytime is
    'Returns the p-value, valid at every look, of counts against the weights that they should follow.';

-- phi(e) = (1 + e) ln(1 + e) - e for e >= -1; for a small e by its series, sum of (-e)^k / (k (k - 1)) from k = 2 on.
create or replace function afterpush.entropy_term(e double precision) returns double precision
language sql immutable strict parallel safe
return case
    when e <= -1 then 1.0
    when abs(e) > 0.05 then (1 + e) * ln(1 + e) - e
    when abs(e) < 1e-100 then 0.0
    else e * e * (
        1 / 2.0::double precision + e * (-1 / 6.0::double precision + e * (1 / 12.0::double precision
        + e * (-1 / 20.0::double precision + e * (1 / 30.0::double precision + e * (-1 / 42.0::double precision
        + e * (1 / 56.0::double precision + e * (-1 / 72.0::double precision + e * (1 / 90.0::double precision
        + e * (-1 / 110.0::double precision + e * (1 / 132.0::double precision))))))))))
    )
end;
comment on function afterpush.entropy_term is 'Returns (1 + e) ln(1 + e) - e, for e >= -1.';

-- The error of Stirling's formula, ln Gamma(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2): from 15 on by its series
-- (Abramowitz and Stegun 6.1.40), below that from ln_gamma.
create or replace function afterpush.stirling_error(x double precision) returns double precision
language sql immutable strict parallel safe
return case
    when x > 15
    then (1 / 12.0::double precision - (1 / 360.0::double precision - (1 / 1260.0::double precision
        - 1 / 1680.0::double precision / x / x) / x / x) / x / x) / x
    else afterpush.ln_gamma(x + 1) - ln(x)
        - ((x - 0.5) * ln(x) - x + 0.918938533204672741780329736406::double precision)
end;
comment on function afterpush.stirling_error is 'Returns the error of Stirling''s formula for ln Gamma(x), x > 0.';
