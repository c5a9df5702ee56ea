-- Stores deliveries as their events say, for hours that are not sealed, and deletes those that no event supports.
--
-- sealed: the start of these hours.
-- ranges: into how many ranges of delivery_ids the comparison is divided.
--
-- Steps: divide the delivery_ids into ranges with about equally many events; find the deliveries that differ
-- (differing_deliveries), all ranges in one statement, so that PostgreSQL compares them in parallel; write them. There
-- are more ranges than processors, so that all of these have work to the end, and one range fits into memory.
create or replace function afterpush.rebuild_deliveries(sealed timestamptz, ranges integer default 8) returns void
language plpgsql
set jit = off
-- The leader would compete with its own workers for the processors.
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
        -- A sample of about a thousand pages is enough to place the bounds.
        from afterpush.events tablesample system (100000.0 / greatest(pages, 1000))
    ) as b
    where bound is not null;

    execute 'create temporary table differing on commit drop as '
        || (
            select string_agg(
                format('select * from afterpush.differing_deliveries(%L, %L, %L)', sealed, from_id, to_id),
                ' union all '
            )
            from unnest(array_prepend(null, bounds), array_append(bounds, null)) as r (from_id, to_id)
        );

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from pg_temp.differing where (rebuilt).delivery_id is null);

    insert into afterpush.deliveries
    select (rebuilt).*
    from pg_temp.differing
    where (rebuilt).delivery_id is not null
    order by (rebuilt).delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_source_rank = excluded.platform_source_rank,
        app_version_source_rank = excluded.app_version_source_rank,
        campaign_source_rank = excluded.campaign_source_rank,
        category_source_rank = excluded.category_source_rank,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        converted_at = excluded.converted_at,
        verified_converted_at = excluded.verified_converted_at,
        failed_at = excluded.failed_at,
        replaced_at = excluded.replaced_at,
        verified_failed_at = excluded.verified_failed_at,
        verified_replaced_at = excluded.verified_replaced_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        fallbacks = excluded.fallbacks,
        actions = excluded.actions,
        device_number = excluded.device_number,
        last_stored_hour = excluded.last_stored_hour;
end
$$;
comment on function afterpush.rebuild_deliveries is
    'Stores deliveries as their events say, for hours that are not sealed.';
