-- Recomputes layer 2 (deliveries) from the events, and layer 3 (rollups) from the deliveries, for hours that are not
-- sealed. `afterpush rollup rebuild` calls it after a repair or when rollup_verify found a difference.
--
-- It locks all merges to its end: merging waits, storing events goes on. Each table is compared with
-- its recomputation, and only rows that differ are written, so a rebuild that finds nothing wrong leaves no dead rows.
--
-- The steps are those of roll_up, over whole tables: they hand on temporary tables, because the shapes of all
-- deliveries may be too many for an array.
create or replace function afterpush.rollup_rebuild() returns void
language plpgsql
set jit = off
-- The costly part is what each parallel process computes, not the rows it hands on; the default would keep the planner
-- from starting any.
set parallel_tuple_cost = 0.01
as $$
declare
    sealed timestamptz;
    app integer;
begin
    -- A rebuild runs rarely and alone, so it may use the memory of maintenance.
    perform set_config('work_mem', current_setting('maintenance_work_mem'), true);
    sealed := afterpush.lock_all_merges();

    -- Here, and not by computing them again: a day that is sealed in part keeps its sums by device bucket.
    for app in select a.app_id from afterpush.apps as a loop
        while afterpush.recount_conversions(app, sealed) loop
        end loop;
    end loop;
    perform afterpush.rebuild_deliveries(sealed);
    perform afterpush.rebuild_values(sealed);

    create temporary table delivery_shapes on commit drop as
    select
        app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        verified_dimensions, kinds, verified_kinds,
        confirmed_time, sent_time, verified_confirmed_time, verified_sent_time,
        afterpush.timed_actions(actions, reached_at, verified_reached_at) as actions,
        count(*)::integer as deliveries
    from afterpush.keyed_deliveries
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16;
    analyze pg_temp.delivery_shapes;

    perform afterpush.rebuild_rollup_deliveries(sealed);
    perform afterpush.rebuild_rollup_actions(sealed);
    perform afterpush.rebuild_rollup_responses(sealed);
    perform afterpush.rebuild_rollup_events(sealed);
    perform afterpush.rebuild_rollup_days(sealed);
    perform afterpush.rebuild_device_buckets(sealed);
    perform afterpush.rebuild_report_sums(sealed);
end
$$;
comment on function afterpush.rollup_rebuild is
    'Recomputes deliveries from events and rollups from deliveries, for hours that are not sealed.';
