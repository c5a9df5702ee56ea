-- Merges batches that wait into deliveries and rollups, those of each app in their order. The rollup worker calls it in a loop.
--
-- max_events: about how many events to merge; of copies that replace one, at most about a tenth as many. The last batch
--             may exceed both.
-- only_app:   the app whose batches are merged; null for all but those that are merged apart (apps_merged_apart).
-- slices:     the slices of devices whose batches are merged; null for all batches, and an empty array for those that
--             are of several slices. Merges of different slices may run side by side.
-- Returns the number of events merged, copies that replaced one included: 0 if no batch waits, null if another worker
-- is merging.
--
-- Steps, all in one transaction:
--   1. lock the row of rollup_worker, so that one worker merges at a time; a merge of slices shares this lock, and locks
--      its slices; a merge of an app that is merged apart locks the app's row in apps_merged_apart instead;
--   2. find batches that are not merged (waiting_batches);
--   3. replace stored events of which they hold a verified copy (apply_upgrades), if there are any; if that is much, it is
--      all that this run does;
--   4. merge their events into deliveries (merge_batches), which returns how the deliveries changed, as shapes;
--   5. note the deliveries whose reply texts may belong elsewhere now (note_replies_of_batches);
--   6. count the new events (event_sums, event_counts), and those whose delivery has other dimensions now
--      (moved_event_counts), and leave out counts of sealed hours; in a merge of slices, lock the rollups, to which
--      another one may be adding;
--   7. derive from the shapes how the rollups of deliveries change, each a signed sum, and add these deltas:
--      add_deliveries (app_version_deltas), add_actions (action_deltas), add_responses (response_deltas); note which
--      deliveries changed, by the bucket of their device (add_device_changes, which settles some if many are noted);
--      add the batches' values to their deliveries, and what that changes to its rollup (add_values);
--      add the counts of events to their rollups (add_event_counts, event_deltas);
--      add what the reports `health` and `undeclared` say of the events, and when deliveries last had one;
--   8. mark the batches as merged;
--   9. compute deliveries again that are no longer held in a sealed hour (recompute_deliveries).
-- A run that doesn't share the lock also decides on some reply texts that have waited long enough (decide_due_replies),
-- and on some of deliveries that were noted (decide_noted_replies). If no batch waits, it adds what was noted by device
-- bucket to its rollups (settle_device_changes).
--
-- A function add_to_rollup_... adds deltas to one table, and deletes rows that became zero. So each table equals the
-- sum over all deliveries, row for row; rollup_verify compares them.
--
-- Shapes and deltas are handed from step to step as arrays: temporary tables would add rows to the system catalogue on
-- every run.
create or replace function afterpush.roll_up(
    max_events integer, only_app integer default null, slices integer[] default null
) returns integer
language plpgsql
-- These settings apply to all statements of a merge, those of the functions that it calls included. A merge touches few
-- rows of large tables. The planner's estimates for the arrays are rough, and a wrong one would read a whole table, so
-- it may only use indexes and nested loops.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- A plan for these very batches: it knows the length of the arrays and leaves out what only sealed hours need. A
-- generic plan saves the planning, but runs twice as long.
set plan_cache_mode = force_custom_plan
set jit = off
-- A merge of slices waits for another one that adds to the rollups, which takes part of a merge's time.
set lock_timeout = '50s'
set work_mem = '64MB'
-- The planner assumes tens of kilobytes for each group that has arrays; it is less than two.
set hash_mem_multiplier = 32
as $$
declare
    sealed timestamptz;
    is_side_by_side constant boolean := coalesce(cardinality(slices) > 0, false);
    locked_slices integer;
    waiting record;
    merged afterpush.merge_result;
    sums afterpush.event_sums;
    counts afterpush.event_count[];
    -- About as many as a merge of the usual size notes ten times over; settling them takes about as long as that merge.
    max_device_changes constant integer := 20000;
begin
    if is_side_by_side then
        select sealed_before into sealed from afterpush.rollup_worker for share skip locked;
        perform from afterpush.merge_locks
        where name = any (select 'slice ' || s from unnest(slices) as s)
        order by name
        for update skip locked;
        get diagnostics locked_slices = row_count;
        if sealed is null or locked_slices < cardinality(slices) then
            return null;
        end if;
    else
        if only_app is not null then
            if afterpush.lock_merges_of(only_app) is null then
                return null;
            end if;
            select sealed_before into sealed from afterpush.rollup_worker;
        else
            select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
            if not found then
                return null;
            end if;
        end if;
        perform afterpush.decide_due_replies(only_app)
        where exists (select from afterpush.waiting_replies as w where w.waits_until is not null);
    end if;

    select * into waiting from afterpush.waiting_batches(max_events, only_app, slices);
    if waiting.batch_ids is null then
        perform afterpush.settle_device_changes(max_device_changes, only_app)
        where not is_side_by_side
          and exists (select from afterpush.rollup_device_changes);
        perform afterpush.decide_noted_replies(only_app) where not is_side_by_side;
        return 0;
    end if;
    -- Batches of a single slice have none.
    if waiting.upgrades > 0 and not afterpush.apply_upgrades(waiting.batch_ids, sealed) then
        -- The batches wait for the rest.
        return waiting.upgrades;
    end if;

    merged := afterpush.merge_batches(waiting.batch_ids, sealed, waiting.stored_hour);
    perform afterpush.note_replies_of_batches(waiting.batch_ids);
    sums := afterpush.event_sums(waiting.batch_ids, sealed);
    counts := afterpush.event_counts(merged.event_shapes, sums.of_devices);
    if cardinality(merged.regrouped) > 0 then
        counts := counts || afterpush.moved_event_counts(merged.regrouped);
    end if;
    if sealed > '-infinity' then
        counts := array(select c from unnest(counts) as c where c.event_hour >= sealed);
    end if;

    if is_side_by_side then
        perform from afterpush.merge_locks where name = 'rollups' for update;
    end if;
    perform afterpush.add_deliveries(merged.shapes);
    perform afterpush.add_actions(merged.shapes);
    perform afterpush.add_responses(merged.shapes);
    perform afterpush.add_device_changes(merged.shapes);
    if cardinality(merged.converted) > 0 then
        perform afterpush.add_values(merged.converted, waiting.batch_ids, sealed);
    end if;
    perform afterpush.add_event_counts(counts);
    perform afterpush.add_to_rollup_event_checks(sums.checks);
    perform afterpush.add_to_rollup_names(sums.names);
    perform afterpush.add_to_rollup_stored_hours(merged.stored_hours);
    -- Batches have been waiting for long. add_device_changes keeps the number of noted changes, and this reduces it.
    if not is_side_by_side and afterpush.has_many_device_changes() then
        perform afterpush.settle_device_changes(max_device_changes, only_app);
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (waiting.batch_ids);
    if cardinality(merged.released) > 0 then
        counts := afterpush.event_counts_of(merged.released, sealed, -1);
        perform afterpush.recompute_deliveries(merged.released, sealed);
        perform afterpush.add_event_counts(counts || afterpush.event_counts_of(merged.released, sealed, 1));
    end if;
    -- After the deliveries and the counts, which say if the app has verified events.
    perform afterpush.decide_noted_replies(only_app) where not is_side_by_side;
    return waiting.events + waiting.upgrades;
end
$$;
comment on function afterpush.roll_up is
    'Merges waiting batches into deliveries and rollups; returns how many events, or null if another worker runs.';
