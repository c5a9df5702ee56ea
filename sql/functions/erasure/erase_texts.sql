-- Erases ids from the names of other systems' events, which anyone can make up. Their counts stay, under the name
-- (erased). An app has a limited number of them.
create or replace function afterpush.erase_dialect_names(app integer, ids text[]) returns void
language sql
as $$
    with erased as (
        delete from afterpush.dialect_events as d
        where d.app_id = app
          and afterpush.contains_any_id(d.name, ids)
        returning *
    )
    insert into afterpush.dialect_events as d
        (app_id, family, name, reason, received, mapped, ignored, rejected, first_at, last_at)
    select
        app_id, family, '(erased)', reason, sum(received), sum(mapped), sum(ignored), sum(rejected), min(first_at),
        max(last_at)
    from erased
    group by app_id, family, reason
    on conflict (app_id, family, name, reason) do update
    set received = d.received + excluded.received,
        mapped = d.mapped + excluded.mapped,
        ignored = d.ignored + excluded.ignored,
        rejected = d.rejected + excluded.rejected,
        first_at = least(d.first_at, excluded.first_at),
        last_at = greatest(d.last_at, excluded.last_at)
$$;
comment on function afterpush.erase_dialect_names is 'Erases ids from the names of other systems'' events.';

-- How far a job is with names of other systems' events (note_erased_names).
create or replace function afterpush.names_step(names_erased_at timestamptz) returns integer
language sql immutable parallel safe
return case when names_erased_at is null then 0 when names_erased_at = 'infinity' then 1 else 2 end;
comment on function afterpush.names_step is 'Returns how far a job is with names of other systems'' events.';

-- Erases the ids of some jobs from names of other systems' events, and notes, in a later step, when that was done: what
-- begins then reads none of the ids. Returns that time; null if it is not noted yet.
create or replace function afterpush.note_erased_names(app integer, hashes bytea[], ids text[]) returns timestamptz
language plpgsql
as $$
declare
    noted constant timestamptz := (
        select max(e.names_erased_at)
        from afterpush.erasures as e
        where e.app_id = app
          and e.device_hash = any (hashes)
    );
begin
    if noted < 'infinity' then
        return noted;
    end if;
    if noted is null then
        perform afterpush.erase_dialect_names(app, ids);
    end if;
    update afterpush.erasures as e
    set names_erased_at = case when noted is null then 'infinity' else clock_timestamp() end,
        awaited_analyses = array(
            select a.pid from pg_stat_progress_analyze as a where a.datname = current_database()
        )
    where e.app_id = app
      and e.device_hash = any (hashes);
    return null;
end
$$;
comment on function afterpush.note_erased_names is
    'Erases ids from names of other systems'' events; returns when that was done, null if it is not noted yet.';

-- Does a step of the phase erasing_texts, for some jobs of any app: erases the ids of their devices from what the app
-- keeps beside events, and then from the planner's samples. It needs no lock of merges, because it changes neither
-- deliveries nor rollups.
--
-- What has read the app's data must not store it afterwards: evaluations of alerts (lock_alerts), and analyses of tables,
-- are waited for if they began before nothing of the device was left to be read (note_erased_names).
--
-- Jobs whose devices are still sampled, because a table is being vacuumed, or may yet be, wait with an infinite
-- alerts_checked, and come after those that have more to do.
--
-- max_rows: see erase_alerts_page.
-- Returns whether there was a job that no other transaction works at, and that doesn't wait.
create or replace function afterpush.erase_texts(max_rows integer) returns boolean
language plpgsql
as $$
declare
    app integer;
    hashes bytea[];
    ids text[];
    deleted timestamptz[];
    checked timestamptz;
    erased_at timestamptz;
    awaiting text[];
    sampled text[];
begin
    select e.app_id into app
    from (select distinct app_id from afterpush.erasures where phase = 'erasing_texts') as e
    order by random()
    limit 1;
    -- Jobs that are equally far share a page.
    select array_agg(j.device_hash), array_agg(j.device_id), array_agg(j.deleted_at), min(j.alerts_checked)
    into hashes, ids, deleted, checked
    from (
        select e.device_hash, e.device_id, e.deleted_at, e.alerts_checked
        from afterpush.erasures as e
        where e.app_id = app
          and e.phase = 'erasing_texts'
          and (e.alerts_checked, afterpush.names_step(e.names_erased_at)) = (
              select f.alerts_checked, afterpush.names_step(f.names_erased_at)
              from afterpush.erasures as f
              where f.app_id = app
                and f.phase = 'erasing_texts'
              order by f.alerts_checked = 'infinity', f.requested_at, f.device_hash
              limit 1
          )
        order by e.requested_at, e.device_hash
        limit 20
        for update skip locked
    ) as j;
    if hashes is null then
        return false;
    end if;
    erased_at := afterpush.note_erased_names(app, hashes, ids);
    if erased_at is null then
        return true;
    end if;
    if checked < 'infinity' then
        if not afterpush.lock_alerts(app, erased_at) then
            return false;
        end if;
        checked := afterpush.erase_alerts_page(app, ids, checked, max_rows);
        if checked is not null then
            update afterpush.erasures as e
            set alerts_checked = checked
            where e.app_id = app
              and e.device_hash = any (hashes);
            return true;
        end if;
        perform afterpush.erase_dialect_names(app, ids);
        -- If the report still has the row, the rule begins again with it.
        delete from afterpush.alert_states as s
        where s.app_id = app
          and (
              afterpush.series_contains_any_id(s.series, ids)
              or afterpush.contains_any_id(s.description, afterpush.ids_in_descriptions(ids))
          );
    end if;
    awaiting := array(
        select distinct e.device_id
        from afterpush.erasures as e
        join pg_stat_progress_analyze as a on a.pid = any (e.awaited_analyses)
        where e.app_id = app
          and e.device_hash = any (hashes)
          and a.datname = current_database()
    );
    select awaiting || afterpush.forget_sampled_devices(array_agg(j.id), array_agg(j.deleted_at))
    into sampled
    from unnest(ids, deleted) as j (id, deleted_at)
    where j.id <> all (awaiting);
    update afterpush.erasures as e
    set alerts_checked = 'infinity'
    where e.app_id = app
      and e.device_hash = any (hashes)
      and e.device_id = any (sampled)
      and e.alerts_checked < 'infinity';
    update afterpush.erasures as e
    set phase = 'done', device_id = null, alerts_checked = '-infinity', names_erased_at = null,
        awaited_analyses = null, finished_at = clock_timestamp()
    where e.app_id = app
      and e.device_hash = any (hashes)
      and not coalesce(e.device_id = any (sampled), false);
    return found;
end
$$;
comment on function afterpush.erase_texts is
    'Erases ids of devices from names of other systems'' events, from alerts and from the planner''s samples, for some jobs; '
    'returns whether there was one.';
