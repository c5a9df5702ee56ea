-- The distinct actions that verified events of some deliveries have, so that ingest can enforce the limit of verified
-- actions per delivery. Unverified ones past their limit are counted together (function merged_actions).
--
-- A call reads about 20,000 events, because events of other apps wait meanwhile: of each delivery its share of these,
-- but at least 20 and at most 5,000. If a delivery has more, actions that are not merged yet may be missing.
--
-- delivery_ids: the deliveries. Returns a row for each that has a verified action or text input.
--
-- Runs as the owner, because role afterpush_ingest may read only the keys of events.
create or replace function afterpush.stored_actions(delivery_ids uuid[])
returns table (delivery_id uuid, action_identifiers text[])
language sql stable
security definer
set search_path = pg_catalog, pg_temp
-- A bitmap would have all entries of the delivery, and a scan all of the table, before the limit ends them.
set enable_bitmapscan = off
set enable_seqscan = off
as $$
    select d.delivery_id, array_agg(distinct a.action_identifier)
    from (select distinct i.delivery_id from unnest(delivery_ids) as i (delivery_id)) as d
    cross join lateral (
        select e.action_identifier
        from (
            select e.kind, e.verified, e.action_identifier
            from afterpush.events as e
            where e.delivery_id = d.delivery_id
            -- Without deliveries, nothing is divided by their number.
            limit least(5000, greatest(20, 20000 / greatest(1, cardinality(delivery_ids))))
        ) as e
        where e.kind in ('action', 'text_input')
          and e.verified
        union all
        select a.action_id
        from afterpush.deliveries as m
        cross join unnest(m.actions) as a
        where m.delivery_id = d.delivery_id
          and a.verified_events > 0
    ) as a
    group by d.delivery_id
$$;
comment on function afterpush.stored_actions is
    'Returns the distinct actions of the verified events of each of the given deliveries.';
