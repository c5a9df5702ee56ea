-- Holm's adjustment of p-values for several comparisons: S. Holm, A simple sequentially rejective multiple test
-- procedure, Scandinavian Journal of Statistics 6 (1979), 65-70.
create or replace function afterpush.holm(p double precision[]) returns double precision[]
language sql immutable strict parallel safe
as $$
    select coalesce(array_agg(adjusted order by place), '{}')
    from (
        select
            place,
            case when q is not null then least(1, max(q * (tests - rank + 1)) over (order by rank)) end as adjusted
        from (
            select q, place, count(q) over () as tests, row_number() over (order by q nulls last, place) as rank
            from unnest(p) with ordinality as u (q, place)
        ) as ranked
    ) as adjusted
$$;
comment on function afterpush.holm is
    'Returns the p-values adjusted by Holm''s method, in the order given; a null stays null and is not a comparison.';
