-- The sample ratio test: Pearson's chi-square test of counts against the weights that they should follow. The counts
-- are divided by their design effect (sample_ratio_design_effect).
--
-- Returns null if there is nothing to compare (fewer than two counts, no deliveries, no positive weight) or an
-- argument is negative, null or not finite; 0 if a variant with weight 0 has deliveries. A weight under 1e-100 of the
-- largest is 0.
create or replace function afterpush.sample_ratio_p(
    counts bigint[], weights double precision[], design_effect double precision default 1
) returns double precision
language sql immutable strict parallel safe
as $$
    select case
        when bool_or(n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity') then null
        when count(*) < 2 or sum(n) = 0 or max(share) is null then null
        when bool_or(share = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(
                case
                    when share > 0 and total > 0
                    then power(n - total * share / all_shares, 2) / (total * share / all_shares) / design_effect
                end
            ),
            (count(*) filter (where share > 0) - 1)::integer
        )
    end
    from (
        select *, sum(share) over () as all_shares, sum(n) over ()::double precision as total
        from (
            select
                n,
                w,
                case
                    when max(w) over () > 0 and w > max(w) over () * 1e-100 then w / max(w) over ()
                    when max(w) over () > 0 then 0
                end as share
            from unnest(counts, weights) as u (n, w)
        ) as weighted
    ) as totals
$$;
comment on function afterpush.sample_ratio_p is
    'Returns the p-value of the chi-square test of counts against the weights that they should follow.';
