-- Adds the values that some batches state to their deliveries (delivery_values), and what changes to rollup_values.
--
-- converted: the deliveries with a converted event that the batches touch, as they are now and as they were (see
--            merge_batches). One without a value before and after changes nothing.
-- batches:   the batches.
-- sealed:    the start of the hours that are not sealed; -infinity if none is.
--
-- roll_up calls this after merge_batches. A delivery of a sealed hour is not among `converted`, so its value stays.
create or replace function afterpush.add_values(
    converted afterpush.converted_delivery[], batches bigint[], sealed timestamptz
) returns void
language plpgsql
as $$
declare
    deltas afterpush.rollup_values[];
    -- As they are now.
    current constant afterpush.converted_delivery[] :=
        array(select c from unnest(converted) as c where c.sign > 0);
    current_ids constant uuid[] := array(select c.delivery_id from unnest(current) as c);
begin
    deltas := afterpush.value_deltas(array(select c from unnest(converted) as c where c.sign < 0), sealed);

    insert into afterpush.delivery_values as v
    select m.*
    from afterpush.merged_values(batches, null, current_ids) as m
    order by m.delivery_id, m.currency
    on conflict (delivery_id, currency) do update set
        value = v.value + excluded.value,
        verified_value = case
            when v.verified_value is null then excluded.verified_value
            else v.verified_value + coalesce(excluded.verified_value, 0)
        end;

    deltas := deltas || afterpush.value_deltas(current, sealed);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_values(deltas);
    end if;
end
$$;
comment on function afterpush.add_values is
    'Adds the values that some batches state to their deliveries and to the rollup of values.';
