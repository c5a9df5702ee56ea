-- Why a rate of a row is null, the first of these that holds: `no_base` without deliveries in the base, `few` if a
-- denominator is under min_n, `uncovered` if a numerator is above its denominator (declared sends that don't cover the
-- deliveries), `no_base` if another denominator is 0; null if no rate is missing.
--
-- base_n: the row's base. numerators, denominators: an entry per rate. Without a FROM clause the planner inlines it.
create or replace function afterpush.missing_rates(
    min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]
)
returns text
language sql immutable parallel safe
return case
    when coalesce(base_n, 0) = 0 then 'no_base'
    when afterpush.suppressed(min_n, variadic denominators) then 'few'
    when exists (
        select from unnest(numerators, denominators) as r (k, n) where r.n > 0 and r.k not between 0 and r.n
    ) then 'uncovered'
    when exists (select from unnest(denominators) as n where coalesce(n, 0) = 0) then 'no_base'
end;
comment on function afterpush.missing_rates is 'Why a rate of a row is null: no_base, few or uncovered.';
