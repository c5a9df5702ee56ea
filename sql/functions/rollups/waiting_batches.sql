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

-- The batches that the next run merges: as many as have max_events events together, or a tenth as many verified copies of
-- events that were stored before (event_upgrades), and the one that exceeds it. All are of the same hour, so that a merge
-- knows the hour in which its events were stored.
--
-- Apps take turns by the number of their events, each from its oldest batch on. So an app with very many does not delay
-- the others. If the oldest batches of apps are of different hours, it is the oldest hour, or as often that of any app.
-- Copies have a limit of their own, because each costs as much as several events: its delivery is computed again.
--
-- only_app, slices: as in roll_up.
--
-- Returns one row: the batches in ascending order, their numbers of events and of copies, and the hour; all null if
-- none waits.
--
-- A long queue costs little more than a short one: it takes at most 1000 batches, and does not look at those of apps that
-- are merged apart, of which any number may wait.
create or replace function afterpush.waiting_batches(
    max_events integer, only_app integer, slices integer[], out batch_ids bigint[], out events bigint,
    out upgrades bigint, out stored_hour timestamptz
)
language sql volatile
as $$
    with oldest as materialized (
        -- Usually all that wait, by one index.
        select b.*
        from afterpush.batches as b
        where b.rolled_up_at is null
          and only_app is null
          and not exists (select from afterpush.apps_merged_apart)
          and afterpush.is_of_slices(b.device_slice, slices)
        order by b.batch_id
        limit 1000
    ),
    candidates as materialized (
        select b.app_id, b.batch_id, b.events, b.upgrades, afterpush.hour_of(b.started_at) as stored_hour
        from (
            select *
            from oldest
            union all
            select b.*
            from afterpush.apps_to_merge(only_app) as a (app_id)
            cross join lateral (
                select b.*
                from afterpush.batches as b
                where b.app_id = a.app_id
                  and b.rolled_up_at is null
                  and b.batch_id + 0 > coalesce((select max(o.batch_id) from oldest as o), 0)
                  and afterpush.is_of_slices(b.device_slice, slices)
                order by b.batch_id + 0
                -- Apps that have more have their turn in the next run.
                limit case
                    when only_app is not null then 1000
                    else greatest(5, 2000 / greatest(1, (select count(*) from afterpush.apps)))
                end
            ) as b
            where only_app is not null
               or exists (select from afterpush.apps_merged_apart)
               or (select count(*) from oldest) = 1000
        ) as b
    ),
    of_apps as materialized (
        select
            c.*,
            first_value(c.stored_hour) over own as first_hour,
            sum(greatest(1, c.events + 10 * c.upgrades)) over own - greatest(1, c.events + 10 * c.upgrades) as own_before
        from candidates as c
        window own as (partition by c.app_id order by c.batch_id)
    ),
    turn as materialized (
        select random() < 0.5 as is_of_oldest
    ),
    chosen as materialized (
        select a.first_hour
        from of_apps as a
        cross join turn as t
        where a.own_before = 0
        order by case when t.is_of_oldest then a.batch_id end, random()
        limit 1
    )
    select array_agg(batch_id order by batch_id), sum(events)::bigint, sum(upgrades)::bigint, min(stored_hour)
    from (
        select
            a.*,
            sum(a.events) over turns - a.events as events_before,
            sum(a.upgrades) over turns - a.upgrades as upgrades_before,
            row_number() over turns as place
        from of_apps as a
        join chosen as c on c.first_hour = a.first_hour and c.first_hour = a.stored_hour
        window turns as (order by a.own_before, a.batch_id)
    ) as waiting
    where events_before < max_events
      and upgrades_before * 10 < max_events
      and place <= 1000
$$;
comment on function afterpush.waiting_batches is
    'The batches that the next run merges, up to about a number of events, or a tenth as many verified copies.';
