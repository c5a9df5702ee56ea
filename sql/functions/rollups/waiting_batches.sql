-- The apps whose batches a run of roll_up merges: only_app, or if it is null, all that are not merged apart.
create or replace function afterpush.apps_to_merge(only_app integer) returns setof integer
language sql stable
as $$
    select a.app_id
    from afterpush.apps as a
    where a.app_id = only_app
       or only_app is null and a.app_id <> all (array(select m.app_id from afterpush.apps_merged_apart as m))
$$;
comment on function afterpush.apps_to_merge is 'Returns the apps whose batches a run of roll_up merges.';

-- Whether a batch is of the slices of a run; see roll_up.
create or replace function afterpush.is_of_slices(device_slice integer, slices integer[]) returns boolean
language sql immutable parallel safe
return slices is null
    or device_slice = any (slices)
    or device_slice is null and cardinality(slices) = 0;
comment on function afterpush.is_of_slices is 'Returns whether a batch is of the slices of a run of roll_up.';

-- The oldest batches that are not merged yet: as many as have max_events events together, or a tenth as many verified
-- copies of events that were stored before (event_upgrades), and the one that exceeds it. All are of the same hour, so
-- that a merge knows the hour in which its events were stored.
--
-- Copies have a limit of their own, because each costs as much as several events: its delivery is computed again.
--
-- only_app, slices: as in roll_up.
--
-- Returns one row: the batches in ascending order, their numbers of events and of copies, and the hour; all null if
-- none waits.
--
-- A long queue costs no more than a short one: it takes at most 1000 batches, and does not look at those of apps that
-- are merged apart, of which any number may wait.
create or replace function afterpush.waiting_batches(
    max_events integer, only_app integer, slices integer[], out batch_ids bigint[], out events bigint,
    out upgrades bigint, out stored_hour timestamptz
)
language sql stable
as $$
    select array_agg(batch_id order by batch_id), sum(events)::bigint, sum(upgrades)::bigint, min(stored_hour)
    from (
        select
            batch_id, events, upgrades, stored_hour,
            sum(events) over (partition by stored_hour order by batch_id) - events as events_before,
            sum(upgrades) over (partition by stored_hour order by batch_id) - upgrades as upgrades_before,
            first_value(stored_hour) over (order by batch_id) as first_hour
        from (
            select batch_id, events, upgrades, afterpush.hour_of(started_at) as stored_hour
            from (
                -- Usually the oldest ones of all apps, by one index.
                (
                    select b.*
                    from afterpush.batches as b
                    where b.rolled_up_at is null
                      and only_app is null
                      and not exists (select from afterpush.apps_merged_apart)
                      and afterpush.is_of_slices(b.device_slice, slices)
                    order by b.batch_id
                    limit 1000
                )
                union all
                select b.*
                from afterpush.apps_to_merge(only_app) as a (app_id)
                cross join lateral (
                    select b.*
                    from afterpush.batches as b
                    where b.app_id = a.app_id
                      and b.rolled_up_at is null
                      and afterpush.is_of_slices(b.device_slice, slices)
                    order by b.batch_id
                    limit 1000
                ) as b
                where only_app is not null
                   or exists (select from afterpush.apps_merged_apart)
            ) as b
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where stored_hour = first_hour
      and events_before < max_events
      and upgrades_before * 10 < max_events
$$;
comment on function afterpush.waiting_batches is
    'The oldest batches that are not merged yet, up to about a number of events, or a tenth as many verified copies.';
