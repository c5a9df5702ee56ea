-- Why a rate of a row is null, the first of these that holds: `no_base` without deliveries in the base, `few` if a
-- denominator is under min_n, `uncovered` if a numerator is above its denominator (declared sends that don't cover the
-- deliveries), `no_base` if another denominator is 0; null if no rate is missing.
--
-- base_n: the row's base. numerators, denominators: an entry per rate.
--
-- A loop of expressions takes a third of the time of queries over the arrays, and a report may have thousands of rows.
create or replace function afterpush.missing_rates(
    min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]
)
returns text
language plpgsql immutable parallel safe
as $$
declare
    is_uncovered boolean := false;
    is_empty boolean := false;
begin
    if coalesce(base_n, 0) = 0 then
        return 'no_base';
    end if;
    if afterpush.suppressed(min_n, variadic denominators) then
        return 'few';
    end if;
    for i in 1..cardinality(denominators) loop
        if denominators[i] > 0 and numerators[i] not between 0 and denominators[i] then
            is_uncovered := true;
        elsif coalesce(denominators[i], 0) = 0 then
            is_empty := true;
        end if;
    end loop;
    return case when is_uncovered then 'uncovered' when is_empty then 'no_base' end;
end
$$;
comment on function afterpush.missing_rates is 'Why a rate of a row is null: no_base, few or uncovered.';
