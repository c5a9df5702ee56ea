-- Takes devices out of the planner's samples, which keep values of deleted rows until the table is analyzed again. That can
-- be months later. A sample has few devices of a large table, so this seldom finds any.
--
-- Analyzing conflicts with a vacuum of the same table, which can take hours, so it is not waited for. Each call analyzes
-- one table, so that it ends soon; the partitioned table comes before its partitions, which are analyzed with it.
-- Returns the devices that are still sampled; call it again for them.
create or replace function afterpush.forget_sampled_devices(devices text[]) returns text[]
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    sample record;
    is_analyzed boolean := false;
begin
    for sample in
        select distinct tablename
        from pg_stats
        where schemaname = 'afterpush'
          and attname = 'device_id'
          and devices && (most_common_vals::text::text[] || histogram_bounds::text::text[])
        order by tablename
    loop
        begin
            execute format('lock table afterpush.%I in share update exclusive mode nowait', sample.tablename);
            execute format('analyze afterpush.%I (device_id)', sample.tablename);
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
