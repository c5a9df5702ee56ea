-- The distinct actions that some deliveries were answered with so far.
create or replace function afterpush.actions_stored(delivery_ids uuid[])
returns table (delivery_id uuid, action_identifiers text[])
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.delivery_id, array_agg(distinct e.action_identifier)
    from afterpush.events as e
    where e.delivery_id = any (delivery_ids)
      and e.kind in ('action', 'text_input')
    group by e.delivery_id
$$;
comment on function afterpush.actions_stored is
    'The distinct actions that some deliveries were answered with so far.';
