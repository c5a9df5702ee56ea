-- The smallest increase over the rate k0 of n0 that n1 deliveries show with a power of 80 % in a two-sided test at 5 %:
-- the difference d = p1 - p0 for which
--   d = 1.96 sqrt(p (1 - p) (1/n1 + 1/n0)) + 0.84 sqrt(p1 (1 - p1) / n1 + p0 (1 - p0) / n0)
-- where p is the rate of both together. It is the inverse of n_needed, whose source stands there: with n1 = n0 = n,
-- n_needed(p0 + d, p0) is n. n1 and n0 are divided by their design effects first (design_effect.sql).
--
-- The right side is a concave function of d, so there is one solution, which is found by halving. Null if even a rate
-- of 1 could not be shown.
create or replace function afterpush.detectable_effect(
    n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision
) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    p0 constant double precision := k0::double precision / nullif(n0, 0);
    m1 constant double precision := n1 / design_effect1;
    m0 constant double precision := n0 / design_effect0;
    low double precision := 0;
    high double precision := 1 - p0;
    d double precision;
    p double precision;
begin
    if not (n1 > 0 and n0 > 0 and k0 between 0 and n0 - 1 and design_effect1 > 0 and design_effect0 > 0) then
        return null;
    end if;
    d := high;
    loop
        p := p0 + d * m1 / (m1 + m0);
        if d >= 1.959963984540054::double precision * sqrt(p * (1 - p) * (1 / m1 + 1 / m0))
            + 0.8416212335729143::double precision * sqrt((p0 + d) * (1 - p0 - d) / m1 + p0 * (1 - p0) / m0)
        then
            high := d;
        elsif d = 1 - p0 then
            return null;
        else
            low := d;
        end if;
        exit when high - low <= 1e-14 * high;
        d := low + (high - low) / 2;
    end loop;
    return high;
end
$$;
comment on function afterpush.detectable_effect is
    'Returns the smallest increase over k0/n0 that the deliveries show with 80 % power at 5 %; null if there is none.';
