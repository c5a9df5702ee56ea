-- What becomes known of a delivery may decide about its reply texts, of which there may be any number. So whatever learns
-- more only notes the delivery: a merge notes those that its batches touch, and after new sends were declared, those are
-- noted whose sends state a category (note_deliveries_of_sends). decide_noted_replies then decides about a limited number
-- of texts in each run.
--
-- Only a transaction that may write an app's deliveries (lock_merges_of) writes undecided_deliveries, or takes rows from
-- undecided_apps.

-- Notes deliveries, if they have texts.
create or replace function afterpush.note_deliveries(deliveries uuid[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into afterpush.undecided_deliveries as u (delivery_id, app_id)
    select d.delivery_id, t.app_id
    from (select distinct n.delivery_id from unnest(deliveries) as n (delivery_id)) as d
    cross join lateral (
        (select w.app_id from afterpush.waiting_replies as w where w.delivery_id = d.delivery_id limit 1)
        union all
        (select r.app_id from afterpush.replies as r where r.delivery_id = d.delivery_id limit 1)
        limit 1
    ) as t
    order by d.delivery_id
    on conflict (delivery_id) do update set is_noted_again = true
        where u.after_device_time > '-infinity';
end
$$;
comment on function afterpush.note_deliveries is
    'Notes that it is to be decided again where the reply texts of some deliveries belong.';

-- Notes the deliveries that some batches touch, where the category matters.
create or replace function afterpush.note_replies_of_batches(batches bigint[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    apps constant integer[] := array(
        select a.app_id
        from (select distinct b.app_id from afterpush.batches as b where b.batch_id = any (batches)) as a
        cross join lateral afterpush.text_periods(a.app_id) as p
        where p.shortest < p.longest
    );
begin
    if apps = '{}' then
        return;
    end if;
    perform afterpush.note_deliveries(array(
        select distinct e.delivery_id
        from afterpush.events as e
        where e.batch_id = any (batches)
          and e.app_id = any (apps)
          and (e.category_id is not null or e.kind = 'text_input' or e.campaign_id is not null)
    ));
end
$$;
comment on function afterpush.note_replies_of_batches is
    'Notes the deliveries that some batches touch, so that it is decided again about their reply texts.';

-- Notes deliveries with undecided texts whose declared sends state a category now (undecided_apps).
--
-- max_deliveries: how many deliveries to look at, divided among the apps.
create or replace function afterpush.note_deliveries_of_sends(only_app integer, max_deliveries integer) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    notes constant afterpush.undecided_apps[] := array(
        select row(n.*)::afterpush.undecided_apps
        from afterpush.apps_to_merge(only_app) as a (app_id)
        cross join lateral (
            select * from afterpush.undecided_apps as n where n.app_id = a.app_id order by n.note_id limit 1
        ) as n
    );
    max_of_app constant integer := greatest(max_deliveries / greatest(cardinality(notes), 1), 1);
    note afterpush.undecided_apps;
    found_deliveries uuid[];
begin
    foreach note in array notes loop
        -- A look through all deliveries of the app is one for all its notes.
        if note.after_delivery = '00000000-0000-0000-0000-000000000000' then
            delete from afterpush.undecided_apps as n where n.app_id = note.app_id and n.note_id > note.note_id;
        end if;
        with recursive deliveries (delivery_id, number) as (
            select note.after_delivery, 0
            union all
            select next.delivery_id, d.number + 1
            from deliveries as d
            cross join lateral (
                (
                    select w.delivery_id
                    from afterpush.waiting_replies as w
                    where w.app_id = note.app_id
                      and w.delivery_id > d.delivery_id
                    order by w.delivery_id
                    limit 1
                )
                union all
                (
                    select r.delivery_id
                    from afterpush.replies as r
                    where r.app_id = note.app_id
                      and r.verified_category_id is null
                      and r.delivery_id > d.delivery_id
                    order by r.delivery_id
                    limit 1
                )
                order by delivery_id
                limit 1
            ) as next
            where d.number < max_of_app
        )
        select array_agg(d.delivery_id order by d.number) into found_deliveries from deliveries as d where d.number > 0;
        perform afterpush.note_deliveries(array(
            select d.delivery_id
            from unnest(found_deliveries) as d (delivery_id)
            where afterpush.verified_category(d.delivery_id) is not null
        ));
        if cardinality(found_deliveries) = max_of_app then
            update afterpush.undecided_apps
            set after_delivery = found_deliveries[max_of_app]
            where (app_id, note_id) = (note.app_id, note.note_id);
        else
            delete from afterpush.undecided_apps where (app_id, note_id) = (note.app_id, note.note_id);
        end if;
    end loop;
end
$$;
comment on function afterpush.note_deliveries_of_sends is
    'Notes deliveries with undecided reply texts whose declared sends state a category now.';

-- Decides about texts of deliveries that were noted: four thousand, divided among the apps, and then among their
-- deliveries, so that one with very many texts holds up no other.
--
-- only_app: as in apps_to_merge.
create or replace function afterpush.decide_noted_replies(only_app integer) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    max_texts constant integer := 4000;
    max_deliveries constant integer := 2000;
    max_of_delivery integer;
    apps integer[];
    deliveries uuid[];
    waiting tid[];
    readable tid[];
    -- The deliveries that have more texts, and the last text of each that is decided now.
    unfinished uuid[];
    last_events uuid[];
    last_times timestamptz[];
begin
    if exists (select from afterpush.undecided_apps) then
        perform afterpush.note_deliveries_of_sends(only_app, max_deliveries);
    end if;
    if not exists (select from afterpush.undecided_deliveries) then
        return;
    end if;
    apps := array(
        select a.app_id
        from afterpush.apps_to_merge(only_app) as a (app_id)
        cross join lateral (select from afterpush.undecided_deliveries as u where u.app_id = a.app_id limit 1) as u
    );
    deliveries := array(
        select u.delivery_id
        from unnest(apps) as a (app_id)
        cross join lateral (
            select u.delivery_id
            from afterpush.undecided_deliveries as u
            where u.app_id = a.app_id
            order by u.turn
            -- PostgreSQL computes the limit as it plans, also if there is no app.
            limit greatest(max_deliveries / greatest(cardinality(apps), 1), 1)
        ) as u
    );
    if deliveries = '{}' then
        return;
    end if;
    max_of_delivery := greatest(max_texts / cardinality(deliveries), 1);

    select
        array_agg(t.waiting_row) filter (where t.waiting_row is not null),
        array_agg(t.readable_row) filter (where t.readable_row is not null),
        coalesce(array_agg(u.delivery_id) filter (where t.number = max_of_delivery), '{}'),
        array_agg(t.event_id) filter (where t.number = max_of_delivery),
        array_agg(t.device_time) filter (where t.number = max_of_delivery)
    into waiting, readable, unfinished, last_events, last_times
    from afterpush.undecided_deliveries as u
    cross join lateral (
        select t.*, row_number() over (order by t.event_id, t.device_time) as number
        from (
            (
                select w.event_id, w.device_time, w.ctid as waiting_row, null::tid as readable_row
                from afterpush.waiting_replies as w
                where w.delivery_id = u.delivery_id
                  and (w.event_id, w.device_time) > (u.after_event_id, u.after_device_time)
                order by w.event_id, w.device_time
                limit max_of_delivery
            )
            union all
            (
                select r.event_id, r.device_time, null, r.ctid
                from afterpush.replies as r
                where r.delivery_id = u.delivery_id
                  and (r.event_id, r.device_time) > (u.after_event_id, u.after_device_time)
                order by r.event_id, r.device_time
                limit max_of_delivery
            )
            order by event_id, device_time
            limit max_of_delivery
        ) as t
    ) as t
    where u.delivery_id = any (deliveries);
    perform afterpush.decide_readable_texts(readable);
    perform afterpush.decide_waiting_texts(waiting);

    delete from afterpush.undecided_deliveries
    where delivery_id = any (deliveries)
      and delivery_id <> all (unfinished)
      and not is_noted_again;
    update afterpush.undecided_deliveries
    set (turn, after_event_id, after_device_time, is_noted_again) = (default, default, default, default)
    where delivery_id = any (deliveries)
      and delivery_id <> all (unfinished);
    update afterpush.undecided_deliveries as u
    set (turn, after_event_id, after_device_time) = (clock_timestamp(), d.event_id, d.device_time)
    from unnest(unfinished, last_events, last_times) as d (delivery_id, event_id, device_time)
    where u.delivery_id = d.delivery_id;
end
$$;
comment on function afterpush.decide_noted_replies is
    'Decides on some reply texts of deliveries about which more is known.';
