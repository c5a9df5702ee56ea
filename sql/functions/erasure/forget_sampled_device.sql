-- Takes a device out of the planner's samples, which keep values of deleted rows until the table is analyzed again. That can
-- be months later. A sample has few devices of a large table, so this seldom finds any.
create or replace function afterpush.forget_sampled_device(device text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    sample record;
begin
    for sample in
        select tablename, attname
        from pg_stats
        where schemaname = 'afterpush'
          and attname = 'device_id'
          and device = any (most_common_vals::text::text[] || histogram_bounds::text::text[])
    loop
        execute format('analyze afterpush.%I (%I)', sample.tablename, sample.attname);
    end loop;
end
$$;
comment on function afterpush.forget_sampled_device is
    'Takes an erased device out of the samples of tables that the planner keeps.';
