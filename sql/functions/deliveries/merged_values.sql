-- The values of deliveries as they follow from the log of events alone: what delivery_values must hold.
--
-- only_batches:    the batches whose events are read; null for all.
-- except_batches:  batches whose events are left out; null for none.
-- only_deliveries: the deliveries whose events are read; null for all.
--
-- Events are stored once however often they are sent, so the sum is over distinct events.
create or replace function afterpush.merged_values(
    only_batches bigint[], except_batches bigint[], only_deliveries uuid[] default null
)
returns setof afterpush.delivery_values
language sql stable
as $$
    select
        delivery_id, coalesce(currency, ''), min(app_id), sum(value), sum(value) filter (where verified)
    from afterpush.events
    where kind = 'converted'
      and value is not null
      and (only_batches is null or batch_id = any (only_batches))
      and (except_batches is null or batch_id <> all (except_batches))
      and (only_deliveries is null or delivery_id = any (only_deliveries))
    group by 1, 2
$$;
comment on function afterpush.merged_values is 'The values of deliveries as they follow from the events of some batches.';
