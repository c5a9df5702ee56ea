-- Decides again where the reply texts of some deliveries belong (function text_place), and moves or deletes them: waiting
-- texts, and, where the category matters, readable ones whose category verified evidence states now.
--
-- deliveries: the deliveries; null for all waiting texts.
--
-- Of readable texts, only verified evidence decides again; what unverified events state later counts when retention
-- runs. All functions of this file run as the owner, because only what stores texts may read them.
create or replace function afterpush.decide_replies(deliveries uuid[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    with stated as (
        select r.delivery_id, r.event_id, r.device_time, r.app_id, s.category_id
        from afterpush.replies as r
        cross join lateral afterpush.text_periods(r.app_id) as p
        cross join lateral afterpush.verified_category(r.delivery_id) as s (category_id)
        where r.delivery_id = any (deliveries)
          and p.shortest < p.longest
          and s.category_id is distinct from r.verified_category_id
          and s.category_id is not null
    ),
    deleted as (
        delete from afterpush.replies as r
        using stated as s
        where (r.delivery_id, r.event_id, r.device_time) = (s.delivery_id, s.event_id, s.device_time)
          and afterpush.text_retention(s.app_id, s.category_id) <= interval '0'
    )
    update afterpush.replies as r
    set verified_category_id = s.category_id
    from stated as s
    where (r.delivery_id, r.event_id, r.device_time) = (s.delivery_id, s.event_id, s.device_time)
      and afterpush.text_retention(s.app_id, s.category_id) > interval '0';

    perform afterpush.decide_waiting_replies(deliveries, max_due => null, only_app => null);
end
$$;
comment on function afterpush.decide_replies is
    'Moves the reply texts of some deliveries to where they belong, or deletes them.';

-- Decides again about waiting texts: those of some deliveries (null for all), or a number of those that have waited long
-- enough. Of these, the ones whose category nothing states wait on, without an end.
--
-- Texts of apps whose batches have waited for a minute are not due: these may have verified evidence. only_app: the app
-- whose due texts are meant, or null for all that are not merged apart.
create or replace function afterpush.decide_waiting_replies(deliveries uuid[], max_due integer, only_app integer)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    with decided as materialized (
        select
            w.delivery_id, w.event_id, w.device_time, w.verified_category as category_id,
            afterpush.text_place(
                w.app_id, p.shortest, p.longest, w.verified, w.verified_category, w.unverified_category, w.has_waited
            ) as place
        from (
            select
                w.*,
                afterpush.verified_category(w.delivery_id) as verified_category,
                coalesce(
                    (select d.category_id from afterpush.deliveries as d where d.delivery_id = w.delivery_id),
                    (
                        select e.category_id
                        from afterpush.events as e
                        where (e.delivery_id, e.event_id, e.device_time) = (w.delivery_id, w.event_id, w.device_time)
                    )
                ) as unverified_category,
                coalesce(w.waits_until <= now(), true) as has_waited
            from afterpush.waiting_replies as w
            where (deliveries is null or w.delivery_id = any (deliveries))
              and (
                  max_due is null
                  or w.waits_until <= now()
                  and (
                      w.app_id = only_app
                      or only_app is null
                      and w.app_id <> all (array(select a.app_id from afterpush.apps_merged_apart as a))
                  )
                  and w.app_id <> all (array(
                      select b.app_id
                      from afterpush.batches as b
                      where b.rolled_up_at is null
                        and b.started_at < now() - interval '1 minute'
                  ))
              )
            limit max_due
        ) as w
        cross join lateral afterpush.text_periods(w.app_id) as p
    ),
    released as (
        delete from afterpush.waiting_replies as w
        using decided as d
        where (w.delivery_id, w.event_id, w.device_time) = (d.delivery_id, d.event_id, d.device_time)
          and d.place is distinct from 'waiting_replies'
        returning w.*, d.category_id, d.place
    ),
    waiting_on as (
        update afterpush.waiting_replies as w
        set waits_until = null
        from decided as d
        where (w.delivery_id, w.event_id, w.device_time) = (d.delivery_id, d.event_id, d.device_time)
          and d.place = 'waiting_replies'
          and max_due is not null
    )
    insert into afterpush.replies
        (app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, stored_at)
    select app_id, delivery_id, event_id, device_time, verified, category_id, user_text, stored_at
    from released
    where place = 'replies'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing;
end
$$;
comment on function afterpush.decide_waiting_replies is
    'Moves some waiting reply texts to where they belong, or deletes them.';

-- Decides again on the texts of deliveries that some batches touch, where the category matters.
create or replace function afterpush.decide_replies_of_batches(batches bigint[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    apps integer[] := array(
        select a.app_id
        from (select distinct b.app_id from afterpush.batches as b where b.batch_id = any (batches)) as a
        cross join lateral afterpush.text_periods(a.app_id) as p
        where p.shortest < p.longest
    );
begin
    if apps = '{}' then
        return;
    end if;
    perform afterpush.decide_replies(array(
        select e.delivery_id
        from (
            select distinct e.delivery_id
            from afterpush.events as e
            where e.batch_id = any (batches)
              and e.app_id = any (apps)
              and (e.category_id is not null or e.kind = 'text_input' or e.campaign_id is not null)
        ) as e
        where exists (select from afterpush.replies as r where r.delivery_id = e.delivery_id)
           or exists (select from afterpush.waiting_replies as w where w.delivery_id = e.delivery_id)
    ));
end
$$;
comment on function afterpush.decide_replies_of_batches is
    'Decides on the reply texts of deliveries that some batches touch.';

-- Decides on the texts that have waited for text_wait, a thousand at a time, because roll_up calls it.
--
-- only_app: as in decide_waiting_replies.
create or replace function afterpush.decide_due_replies(only_app integer) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform afterpush.decide_waiting_replies(null, max_due => 1000, only_app => only_app);
end
$$;
comment on function afterpush.decide_due_replies is 'Decides on the reply texts that have waited long enough.';

-- Trigger on sends: decides again on the texts of the campaigns that sends were declared for, where the category
-- matters.
create or replace function afterpush.decide_replies_of_sends() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    app integer;
begin
    for app in
        select a.app_id
        from (select distinct d.app_id from declared as d) as a
        cross join lateral afterpush.text_periods(a.app_id) as p
        where p.shortest < p.longest
    loop
        perform afterpush.decide_replies(array(
            select d.delivery_id
            from (
                select r.delivery_id
                from afterpush.replies as r
                where r.app_id = app
                  and r.verified_category_id is null
                union
                select w.delivery_id from afterpush.waiting_replies as w where w.app_id = app
            ) as t
            join afterpush.deliveries as d using (delivery_id)
            where d.campaign_id in (select s.campaign_id from declared as s where s.app_id = app)
              and d.campaign_source_rank <= 3
        ));
    end loop;
    return null;
end
$$;
comment on function afterpush.decide_replies_of_sends is
    'Trigger: decides on the reply texts of campaigns that sends were declared for.';

create or replace trigger decide_replies after insert on afterpush.sends
    referencing new table as declared
    for each statement
    execute function afterpush.decide_replies_of_sends();
