-- The oldest batches that are not merged yet: as many as have max_events events together, and the one that exceeds it. All
-- are of the same hour, so that a merge knows the hour in which its events were stored.
--
-- only_app, slices: as in roll_up.
--
-- Returns one row: the batches in ascending order, their number of events, that of verified copies of events that were
-- stored before (event_upgrades), and the hour; all null if none waits.
--
-- It reads at most 1000 batches, so a long queue costs no more than a short one.
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
            first_value(stored_hour) over (order by batch_id) as first_hour
        from (
            select batch_id, events, upgrades, afterpush.hour_of(started_at) as stored_hour
            from afterpush.batches
            where rolled_up_at is null
              and (
                  app_id = only_app
                  or only_app is null and app_id <> all (array(select a.app_id from afterpush.apps_merged_apart as a))
              )
              and (
                  slices is null
                  or device_slice = any (slices)
                  or device_slice is null and cardinality(slices) = 0
              )
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where stored_hour = first_hour
      and events_before < max_events
$$;
comment on function afterpush.waiting_batches is
    'The oldest batches that are not merged yet, up to about a number of events.';
