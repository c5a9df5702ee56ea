-- Takes devices out of the planner's samples, which keep values of deleted rows until the table is analyzed again. That can
-- be months later. A sample has few devices of a large table, so this seldom finds any.
--
-- Analyzing conflicts with a vacuum of the same table, which can take hours, so it is not waited for. Each call analyzes
-- one table, so that it ends soon; the partitioned table comes before its partitions, which are analyzed with it.
--
-- PostgreSQL keeps the sample of a table that has no rows. So the table has one while it is analyzed, of no app and no
-- device, which no other transaction sees.
-- Returns the devices that are still sampled; call it again for them.
create or replace function afterpush.forget_sampled_devices(devices text[]) returns text[]
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
            tablename,
            -- The month of a partition of events, or a time before all.
            case
                when tablename ~ '^events_[0-9]{4}_[0-9]{2}'
                then to_date(substr(tablename, 8, 7), 'YYYY_MM')::timestamp at time zone 'UTC'
                else '-infinity'
            end as first_time
        from pg_stats
        where schemaname = 'afterpush'
          and attname = 'device_id'
          and devices && (most_common_vals::text::text[] || histogram_bounds::text::text[])
        order by tablename
    loop
        begin
            execute format('lock table afterpush.%I in share update exclusive mode nowait', sample.tablename);
            row_id := gen_random_uuid();
            if sample.tablename = 'deliveries' then
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
                    sample.tablename
                )
                using row_id, sample.first_time;
            end if;
            execute format('analyze afterpush.%I (device_id)', sample.tablename);
            execute format('delete from afterpush.%I where delivery_id = $1', sample.tablename) using row_id;
            is_analyzed := true;
        exception
            when lock_not_available then null;
        end;
        exit when is_analyzed;
    end loop;
    return array(
        select d
        from unnest(devices) as d
        where exists (
            select
            from pg_stats
            where schemaname = 'afterpush'
              and attname = 'device_id'
              and d = any (most_common_vals::text::text[] || histogram_bounds::text::text[])
        )
    );
end
$$;
comment on function afterpush.forget_sampled_devices is
    'Takes erased devices out of the samples of tables that the planner keeps; returns those that are still there.';
