-- K. Pearson's goodness of fit test of counts against weights. Null where there is nothing to compare; 0 where something
-- was counted that has no weight.
-- A weight under 1e-100 of the largest counts as 0.
create or replace function afterpush.sample_ratio_p(counts bigint[], weights double precision[]) returns double precision
language sql immutable strict parallel safe
as $$
    select case
        when bool_or(n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity') then null
        when count(*) < 2 or sum(n) = 0 or max(share) is null then null
        when bool_or(share = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(case when share > 0 and total > 0 then power(n - total * share / shares, 2) / (total * share / shares) end),
            (count(*) filter (where share > 0) - 1)::integer
        )
    end
    from (
        select *, sum(share) over () as shares, sum(n) over ()::double precision as total
        from (
            select
                n,
                w,
                case
                    when max(w) over () > 0 and w > max(w) over () * 1e-100 then w / max(w) over ()
                    when max(w) over () > 0 then 0
                end as share
            from unnest(counts, weights) as u (n, w)
        ) as weighed
    ) as counted
$$;
comment on function afterpush.sample_ratio_p is 'Chi-square p of counts against the weights they should follow.';
