-- A rebuild asked which batches wait in one statement, and read events in the next. A batch that was stored in between was merged
-- by the rebuild, and once more by the worker: its actions counted twice. Both are read in one snapshot now.
drop function afterpush.differing_deliveries;

-- A delivery that must be stored otherwise than it is: what it must be (null: not there), and its delivery_id if it is there.
create function afterpush.differing_deliveries(sealed timestamptz, "from" uuid, "to" uuid)
returns table (rebuilt afterpush.deliveries, stored_id uuid)
language plpgsql stable parallel safe cost 100000000
set plan_cache_mode = force_custom_plan
set enable_hashagg = off
as $$
declare
    -- Asked here, in the snapshot that events are read in: one that is stored in between would be counted twice.
    waiting constant bigint[] :=
        (select coalesce(array_agg(batch_id), '{}') from afterpush.batches where rolled_up_at is null);
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, "from", "to") as m
        where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- So that each value is worked out once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where ("from" is null or d.delivery_id >= "from")
          and ("to" is null or d.delivery_id < "to")
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          when r.delivery_id is null then not s.is_sealed and (s.stored).device_id is not null
          -- Of a delivery of a sealed hour some events may be gone.
          else not s.is_sealed or s.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      end;
end
$$;
comment on function afterpush.differing_deliveries is 'Deliveries, of a range of delivery_ids, that are not stored as their events tell them.';

-- In ranges of delivery_ids with about as many events each: so many that all processes are at work to the end, and that the
-- memory of one does for each.
create or replace function afterpush.rebuild_deliveries(sealed timestamptz, ranges integer default 8) returns void
language plpgsql
set jit = off
-- One more than there are cores would only take turns with them.
set parallel_leader_participation = off
as $$
declare
    pages bigint;
    bounds uuid[];
begin
    select sum(c.relpages) into pages
    from pg_catalog.pg_inherits as i
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events'::regclass;
    select array_agg(distinct bound) into bounds
    from (
        select unnest(
            percentile_disc(array(select i::double precision / ranges from generate_series(1, ranges - 1) as i))
            within group (order by delivery_id)
        ) as bound
        -- A thousand pages tell where they lie.
        from afterpush.events tablesample system (100000.0 / greatest(pages, 1000))
    ) as b
    where bound is not null;
    execute 'create temporary table differing on commit drop as '
        || (
            select string_agg(
                format('select * from afterpush.differing_deliveries(%L, %L, %L)', sealed, "from", "to"),
                ' union all '
            )
            from unnest(array_prepend(null, bounds), array_append(bounds, null)) as r ("from", "to")
        );

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from differing where (rebuilt).delivery_id is null);
    insert into afterpush.deliveries
    select (rebuilt).*
    from differing
    where (rebuilt).delivery_id is not null
    order by (rebuilt).delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_standing = excluded.platform_standing,
        app_version_standing = excluded.app_version_standing,
        campaign_standing = excluded.campaign_standing,
        category_standing = excluded.category_standing,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        actions = excluded.actions;
end
$$;
comment on function afterpush.rebuild_deliveries is 'Stores deliveries since a time as their events tell them.';
