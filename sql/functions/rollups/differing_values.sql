-- Each difference between the values of deliveries and the events, and between the rollup of values and these; the part
-- of rollup_verify about values.
--
-- Hours that are sealed are left out, and so are batches that are not merged yet and deliveries of erased devices.
create or replace function afterpush.differing_values()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    ),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    merged as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_values(null, waiting.ids) as m
    )
    select 'delivery_values', coalesce(merged.delivery_id, v.delivery_id)::text
    from merged
    full join afterpush.delivery_values as v using (delivery_id, currency)
    left join afterpush.deliveries as d on d.delivery_id = coalesce(merged.delivery_id, v.delivery_id)
    cross join sealed
    where merged is distinct from v
      -- A value without a delivery is wrong; that a delivery is missing is a difference of the deliveries.
      and case
          when d.delivery_id is null then v.delivery_id is not null
          else d.device_id is not null
              and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed.hour
      end
    union all
    select 'rollup_values', difference::text
    from (
        (select * from afterpush.rollup_values except all select * from afterpush.expected_values)
        union all
        (select * from afterpush.expected_values except all select * from afterpush.rollup_values)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
$$;
comment on function afterpush.differing_values is
    'Each difference between the values of deliveries, their rollup, and what these follow from.';
