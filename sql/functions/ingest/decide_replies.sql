-- Decides again where reply texts belong (function text_place), and moves or deletes them. roll_up does so for texts that
-- have waited long enough (decide_due_replies), and for those of deliveries about which more is known (decide_noted_replies,
-- in a file of its own). Each looks at a limited number of texts, whatever an app has stored; the rest has its turn in the
-- next runs.
--
-- All functions here run as the owner, because only what stores texts may read them. Texts are passed by their location
-- (ctid). roll_up turns hash joins off, because a merge touches few rows; here thousands of texts and deliveries are joined.
-- Retention calls them, too, so they turn sequential scans off as roll_up does.

-- Decides about some waiting texts.
create or replace function afterpush.decide_waiting_texts(texts tid[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on
set enable_seqscan = off
as $$
begin
    with waiting as materialized (
        select w.*, w.ctid as stored_row from afterpush.waiting_replies as w where w.ctid = any (texts)
    ),
    -- What is known of a delivery is looked up once, however many texts it has.
    known as materialized (
        select
            d.delivery_id, p.shortest, p.longest,
            afterpush.verified_category(d.delivery_id) as verified_category,
            (select s.category_id from afterpush.deliveries as s where s.delivery_id = d.delivery_id) as category_id
        from (select distinct w.app_id, w.delivery_id from waiting as w) as d
        join (
            select a.app_id, p.shortest, p.longest
            from (select distinct w.app_id from waiting as w) as a
            cross join lateral afterpush.text_periods(a.app_id) as p
            offset 0
        ) as p using (app_id)
    ),
    decided as materialized (
        select
            t.stored_row, t.verified_category,
            afterpush.text_place(
                t.app_id, t.shortest, t.longest, t.verified, t.verified_category, t.unverified_category, t.has_waited
            ) as place
        from (
            select
                w.stored_row, w.app_id, w.verified, k.shortest, k.longest, k.verified_category,
                coalesce(
                    k.category_id,
                    (
                        select e.category_id
                        from afterpush.events as e
                        where (e.delivery_id, e.event_id, e.device_time) = (w.delivery_id, w.event_id, w.device_time)
                    )
                ) as unverified_category,
                coalesce(w.waits_until <= now(), true) as has_waited
            from waiting as w
            join known as k using (delivery_id)
            offset 0
        ) as t
    ),
    released as (
        delete from afterpush.waiting_replies as w
        using decided as d
        where w.ctid = d.stored_row
          and d.place is distinct from 'waiting_replies'
        returning w.*, d.verified_category, d.place
    )
    insert into afterpush.replies
        (app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, stored_at)
    select app_id, delivery_id, event_id, device_time, verified, verified_category, user_text, stored_at
    from released
    where place = 'replies'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing;
end
$$;
comment on function afterpush.decide_waiting_texts is
    'Moves some waiting reply texts to where they belong, or deletes them.';

-- Decides about some readable texts, where the category matters.
--
-- Only verified evidence decides again; what unverified events state later counts when retention runs.
create or replace function afterpush.decide_readable_texts(texts tid[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on
set enable_seqscan = off
as $$
begin
    with readable as materialized (
        select r.app_id, r.delivery_id, r.verified_category_id, r.ctid as stored_row
        from afterpush.replies as r
        where r.ctid = any (texts)
    ),
    known as materialized (
        select
            d.delivery_id, c.category_id,
            afterpush.text_retention(d.app_id, c.category_id) > interval '0' as keeps_texts
        from (
            select distinct r.app_id, r.delivery_id
            from readable as r
            where r.app_id = any (array(
                select a.app_id
                from (select distinct r.app_id from readable as r) as a
                cross join lateral afterpush.text_periods(a.app_id) as p
                where p.shortest < p.longest
            ))
        ) as d
        cross join lateral afterpush.verified_category(d.delivery_id) as c (category_id)
        where c.category_id is not null
    ),
    changed as materialized (
        select r.stored_row, k.category_id, k.keeps_texts
        from readable as r
        join known as k using (delivery_id)
        where k.category_id is distinct from r.verified_category_id
    ),
    deleted as (
        delete from afterpush.replies as r
        using changed as c
        where r.ctid = c.stored_row
          and not c.keeps_texts
    )
    update afterpush.replies as r
    set verified_category_id = c.category_id
    from changed as c
    where r.ctid = c.stored_row
      and c.keeps_texts;
end
$$;
comment on function afterpush.decide_readable_texts is
    'Deletes readable reply texts whose verified category keeps none, and notes that category at others.';

-- Decides about texts that have waited for text_wait: a thousand, divided among the apps that have some. Of these, the ones
-- whose category nothing states wait on, without an end.
--
-- only_app: as in apps_to_merge.
--
-- Texts of apps whose batches have waited for a minute are not due: these may have verified evidence.
create or replace function afterpush.decide_due_replies(only_app integer) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    max_texts constant integer := 1000;
    -- From app to app by one index: the first text of each. Most have none.
    apps constant integer[] := array(
        with recursive firsts (app_id, waits_until) as (
            (
                select w.app_id, w.waits_until
                from afterpush.waiting_replies as w
                where w.waits_until is not null
                order by w.app_id, w.waits_until
                limit 1
            )
            union all
            select w.*
            from firsts as f
            cross join lateral (
                select w.app_id, w.waits_until
                from afterpush.waiting_replies as w
                where w.app_id > f.app_id
                  and w.waits_until is not null
                order by w.app_id, w.waits_until
                limit 1
            ) as w
        )
        select f.app_id
        from firsts as f
        join afterpush.apps_to_merge(only_app) as a (app_id) using (app_id)
        where f.waits_until <= now()
          and not exists (
              select
              from afterpush.oldest_waiting_batch(f.app_id) as oldest
              where oldest.started_at < now() - interval '1 minute'
          )
    );
    due constant tid[] := array(
        select w.stored_row
        from unnest(apps) as a (app_id)
        cross join lateral (
            select w.ctid as stored_row
            from afterpush.waiting_replies as w
            where w.app_id = a.app_id
              and w.waits_until <= now()
            order by w.waits_until
            -- PostgreSQL computes the limit as it plans, also if there is no app.
            limit greatest(max_texts / greatest(cardinality(apps), 1), 1)
        ) as w
    );
begin
    if cardinality(due) = 0 then
        return;
    end if;
    perform afterpush.decide_waiting_texts(due);
    update afterpush.waiting_replies set waits_until = null where ctid = any (due);
end
$$;
comment on function afterpush.decide_due_replies is 'Decides on reply texts that have waited long enough.';
