-- Locks for what writes deliveries and rollups. Batches of most apps are merged together, under the lock of the row of
-- rollup_worker. Those of an app in apps_merged_apart are merged beside them, under the lock of the app's row there.
-- A row is added under the lock of rollup_worker, so that no merge of the others may have batches of the app.

-- Locks an app's deliveries and rollups until the transaction ends, without waiting.
--
-- Returns whether the app is merged apart; if it is not, other apps are locked, too. Null if the lock is held; then the
-- transaction should end, because it may hold the lock of rollup_worker.
create or replace function afterpush.lock_merges_of(app integer) returns boolean
language plpgsql
as $$
begin
    perform from afterpush.apps_merged_apart as a where a.app_id = app for update skip locked;
    if found then
        return true;
    end if;
    if exists (select from afterpush.apps_merged_apart as a where a.app_id = app) then
        return null;
    end if;
    perform from afterpush.rollup_worker for update skip locked;
    -- The app may have come to be merged apart meanwhile.
    if not found or exists (select from afterpush.apps_merged_apart as a where a.app_id = app) then
        return null;
    end if;
    return false;
end
$$;
comment on function afterpush.lock_merges_of is
    'Locks an app''s deliveries and rollups; returns whether the app is merged apart, or null if the lock is held.';

-- Locks all deliveries and rollups until the transaction ends. It waits for all merges: for those of apps that are merged
-- apart for as long as they may take, because others go on meanwhile, and for the merge of the others as lock_timeout says.
--
-- Returns the start of the hours that are not sealed.
create or replace function afterpush.lock_all_merges() returns timestamptz
language plpgsql
as $$
declare
    sealed timestamptz;
    timeout constant text := current_setting('lock_timeout');
begin
    -- Two that wait for all merges would wait for each other.
    perform from afterpush.merge_locks where name = 'all' for update;
    -- A merge apart takes at most a minute (MergeCost).
    perform set_config('lock_timeout', '70s', true);
    perform from afterpush.apps_merged_apart for update;
    perform set_config('lock_timeout', timeout, true);
    select sealed_before into sealed from afterpush.rollup_worker for update;
    -- Those that were added meanwhile.
    perform from afterpush.apps_merged_apart for update;
    return sealed;
end
$$;
comment on function afterpush.lock_all_merges is
    'Locks all deliveries and rollups, and returns the start of the hours that are not sealed.';

-- Lets an app be merged apart, once the merge that is running has ended; set lock_timeout.
create or replace function afterpush.merge_apart(app integer) returns void
language plpgsql
as $$
begin
    perform from afterpush.rollup_worker for update;
    insert into afterpush.apps_merged_apart values (app) on conflict do nothing;
end
$$;
comment on function afterpush.merge_apart is 'Lets an app be merged apart from the others.';
