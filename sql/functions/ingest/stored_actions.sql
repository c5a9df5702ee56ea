-- The distinct actions that verified events of some deliveries have, so that ingest can enforce the limit of verified
-- actions per delivery. Unverified ones past their limit are counted together (function merged_actions).
--
-- delivery_ids: the deliveries. Returns a row for each that has a verified action or text input.
--
-- Runs as the owner, because role afterpush_ingest may read only the keys of events.
create or replace function afterpush.stored_actions(delivery_ids uuid[])
returns table (delivery_id uuid, action_identifiers text[])
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.delivery_id, array_agg(distinct e.action_identifier)
    from afterpush.events as e
    where e.delivery_id = any (delivery_ids)
      and e.kind in ('action', 'text_input')
      and e.verified
    group by e.delivery_id
$$;
comment on function afterpush.stored_actions is
    'Returns the distinct actions of the verified events of each of the given deliveries.';
