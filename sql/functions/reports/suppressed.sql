-- Without a FROM clause the planner inlines it.
create or replace function afterpush.suppressed(min_n bigint, variadic denominators bigint[]) returns boolean
language sql immutable parallel safe
return coalesce(min_n > any (array_remove(denominators, 0::bigint)), false);
comment on function afterpush.suppressed is 'Whether a denominator is above 0 and under min_n.';
