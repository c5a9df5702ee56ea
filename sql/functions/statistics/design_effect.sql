-- The design effect: how many times larger the variance of a rate is because deliveries of one device resemble each
-- other. Devices are the clusters. Each belongs to one of 128 buckets (function device_bucket), and the variance is
-- that of a ratio of sums over buckets by the delta method: A. Deng, U. Knoblich, J. Lu, Applying the delta method in
-- metric analytics, KDD 2018, arXiv 1803.06336, section 2.2. With n deliveries of a bucket, y of them in the state:
--   rate p = sum(y) / sum(n)
--   variance of p = 128 / 127 * sum((y - p n)^2) / sum(n)^2
--   design effect = variance of p / (p (1 - p) / sum(n)), at least 1
-- Intervals and tests then use the number of deliveries divided by the design effect. Their formulas are those of
-- independent deliveries, of which there are fewer.

-- The variance of a rate by buckets.
--
-- n, y: an entry per bucket that has deliveries, in the same order. Buckets without any add nothing to the sums.
-- Returns null without deliveries.
create or replace function afterpush.ratio_variance(n bigint[], y bigint[]) returns double precision
language plpgsql immutable strict parallel safe
as $$
declare
    total constant double precision := (select sum(b) from unnest(n) as b);
    rate double precision;
begin
    if total > 0 then
        rate := (select sum(b) from unnest(y) as b) / total;
        return (
            select 128.0 / 127 * sum(power(b.y - b.n * rate, 2)) / power(total, 2)
            from unnest(n, y) as b (n, y)
        );
    end if;
    return null;
end
$$;
comment on function afterpush.ratio_variance is
    'Returns the variance of the rate sum(y) / sum(n) by the delta method over device buckets; null without n.';

-- The design effect of the rate in_state / total, from its variance; 1 for a rate of 0 or 1, which has none to compare.
create or replace function afterpush.design_effect(variance double precision, in_state bigint, total bigint)
returns double precision
language sql immutable parallel safe
return case
    when total > 0 then case
        when in_state between 1 and total - 1 and variance > 0
        then greatest(
            1, variance * total / (in_state::double precision / total * ((total - in_state)::double precision / total))
        )
        else 1.0
    end
end;
comment on function afterpush.design_effect is
    'Returns the variance of a rate over that of independent deliveries, at least 1; null without deliveries.';

-- The design effect of the sample ratio: devices, and not deliveries, are assigned to variants, so the numbers of
-- deliveries vary more than those of independent ones. It is the mean of the design effects of the variants' shares,
-- the first-order correction of a chi-square test by J. N. K. Rao and A. J. Scott, The analysis of categorical data
-- from complex sample surveys, Journal of the American Statistical Association 76 (1981), 221-230: for K variants with
-- the shares w, of which the deliveries have the variances v (function ratio_variance, with the deliveries of all
-- variants as n and those of one as y),
--   n / (K - 1) * sum(v / w), at least 1.
--
-- A variant with weight 0 is left out, as in sample_ratio_p.
create or replace function afterpush.sample_ratio_design_effect(
    total bigint, variances double precision[], weights double precision[]
) returns double precision
language sql immutable strict parallel safe
return (
    select case
        when count(*) > 1
        then greatest(1, total / (count(*) - 1)::double precision * sum(variance / (weight / weights)))
    end
    from (
        select u.variance, u.weight, sum(u.weight) over () as weights
        from unnest(variances, weights) as u (variance, weight)
        where u.weight > 0
    ) as shares
);
comment on function afterpush.sample_ratio_design_effect is
    'Returns the design effect of the numbers of deliveries of variants, at least 1; null for fewer than two variants.';
