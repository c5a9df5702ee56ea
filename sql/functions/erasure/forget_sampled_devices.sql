-- The devices in the planner's samples that were taken before all rows of the device were deleted.
--
-- deleted: for each device, when it had no row any more. Later samples have its id only if another app has such a device.
create or replace function afterpush.stale_samples(devices text[], deleted timestamptz[])
returns table (table_name text, device_id text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select s.tablename::text, d.device_id
    from pg_stats as s
    cross join lateral (
        select s.most_common_vals::text::text[] || s.histogram_bounds::text::text[] as devices
    ) as sample
    left join afterpush.sample_renewals as r on r.table_name = s.tablename
    cross join unnest(stale_samples.devices, deleted) as d (device_id, deleted_at)
    where s.schemaname = 'afterpush'
      and s.attname = 'device_id'
      and d.device_id = any (sample.devices)
      -- The clock may have been set back since.
      and not coalesce(r.renewed_at >= d.deleted_at and r.renewed_at <= clock_timestamp(), false)
$$;
comment on function afterpush.stale_samples is
    'Returns the devices in samples of tables that were taken before all rows of the device were deleted.';

-- Takes devices out of the planner's samples, which keep values of deleted rows until the table is analyzed again. That can
-- be months later. A sample has few devices of a large table, so this seldom finds any.
--
-- Analyzing conflicts with a vacuum of the same table, which can take hours, so it is not waited for. Each call analyzes
-- one table, so that it ends soon; the partitioned table comes before its partitions, which are analyzed with it.
--
-- PostgreSQL keeps the sample of a table that has no rows. So the table has one while it is analyzed, of no app and no
-- device, which no other transaction sees.
-- devices, deleted: see stale_samples.
-- Returns the devices that are still sampled; call it again for them.
create or replace function afterpush.forget_sampled_devices(devices text[], deleted timestamptz[]) returns text[]
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    sample record;
    is_analyzed boolean := false;
    row_id uuid;
begin
    for sample in
        select distinct
            table_name,
            -- The month of a partition of events, or a time before all.
            case
                when table_name ~ '^events_[0-9]{4}_[0-9]{2}'
                then to_date(substr(table_name, 8, 7), 'YYYY_MM')::timestamp at time zone 'UTC'
                else '-infinity'
            end as first_time
        from afterpush.stale_samples(devices, deleted)
        order by table_name
    loop
        begin
            execute format('lock table afterpush.%I in share update exclusive mode nowait', sample.table_name);
            insert into afterpush.sample_renewals (table_name, renewed_at)
            values (sample.table_name, clock_timestamp())
            on conflict (table_name) do update
            set renewed_at = excluded.renewed_at;
            row_id := gen_random_uuid();
            if sample.table_name = 'deliveries' then
                insert into afterpush.deliveries (
                    delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
                    campaign_source_rank, category_source_rank, first_event_at, last_stored_hour
                )
                values (row_id, 0, 0, 0, 0, 0, 0, 0, sample.first_time, sample.first_time);
            else
                execute format(
                    $text$
                    insert into afterpush.%I (
                        delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id
                    )
                    values ($1, $1, $2, $2, 0, 0, 'sent', false, '')
                    $text$,
                    sample.table_name
                )
                using row_id, sample.first_time;
            end if;
            execute format('analyze afterpush.%I (device_id)', sample.table_name);
            execute format('delete from afterpush.%I where delivery_id = $1', sample.table_name) using row_id;
            is_analyzed := true;
        exception
            when lock_not_available then null;
        end;
        exit when is_analyzed;
    end loop;
    return array(select distinct device_id from afterpush.stale_samples(devices, deleted));
end
$$;
comment on function afterpush.forget_sampled_devices is
    'Takes erased devices out of the samples of tables that the planner keeps; returns those that are still there.';
