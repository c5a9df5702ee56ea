-- Where the texts of new replies go.
--
-- The arguments hold a column each of the replies' events, which are not stored yet.
-- Returns a row for each reply: `number`, its position from 1; `place`, which is `replies`, `waiting_replies`, or null if
-- the text is not kept (function text_place); and what verified evidence states as its category, where that matters.
--
-- One call for all replies of a group, because how long an app keeps texts is the same for all of its replies.
--
-- Runs as the owner, because role afterpush_ingest can read neither deliveries nor events.
create or replace function afterpush.reply_places(
    app_ids integer[], delivery_ids uuid[], category_ids text[], verified boolean[]
)
returns table (number bigint, place text, verified_category_id text)
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
-- The arrays are small, so PostgreSQL would plan the query for each call.
set plan_cache_mode = force_generic_plan
-- All is looked up by keys. Where most rows are of one app, a scan would seem cheap, and read them all for another app.
set enable_seqscan = off
as $$
declare
    category_matters boolean;
    keeping integer[];
begin
    select bool_or(p.shortest < p.longest), array_agg(a.app_id) filter (where p.shortest > interval '0')
    into category_matters, keeping
    from (select distinct i.app_id from unnest(app_ids) as i (app_id)) as a
    cross join lateral afterpush.text_periods(a.app_id) as p;

    -- The first rule of text_place. Mostly it decides, and the query below takes 0.3 ms only to begin.
    if not category_matters then
        return query
        select t.number, case when t.app_id = any (keeping) then 'replies' end, null::text
        from unnest(app_ids) with ordinality as t (app_id, number);
        return;
    end if;

    -- Grouped by app and by delivery, what is known of each is looked up once, however many texts there are. A join would
    -- do so, too, but the generic plan expects few rows, and would compare each text with each delivery.
    return query
    select
        t.number,
        afterpush.text_place(
            t.app_id, t.shortest, t.longest, t.is_verified, t.verified_category, t.unverified_category, false
        ),
        t.verified_category
    -- `offset 0` lets text_place have plain columns as arguments, or PostgreSQL would not inline it.
    from (
        select
            t.number, a.app_id, p.shortest, p.longest, t.is_verified,
            case
                when p.shortest < p.longest
                then coalesce(k.verified_category, case when t.is_verified then t.category_id end)
            end as verified_category,
            case when p.shortest < p.longest then coalesce(k.category_id, t.category_id) end as unverified_category
        from (
            select
                t.app_id, array_agg(t.delivery_id) as delivery_ids, array_agg(t.category_id) as category_ids,
                array_agg(t.is_verified) as verified, array_agg(t.number) as numbers
            from unnest(app_ids, delivery_ids, category_ids, reply_places.verified) with ordinality
                as t (app_id, delivery_id, category_id, is_verified, number)
            group by t.app_id
        ) as a
        cross join lateral afterpush.text_periods(a.app_id) as p
        cross join lateral (
            select
                t.delivery_id, array_agg(t.category_id) as category_ids, array_agg(t.is_verified) as verified,
                array_agg(t.number) as numbers
            from unnest(a.delivery_ids, a.category_ids, a.verified, a.numbers)
                as t (delivery_id, category_id, is_verified, number)
            group by t.delivery_id
        ) as d
        cross join lateral (
            select
                case when p.shortest < p.longest then afterpush.verified_category(d.delivery_id) end as verified_category,
                (select s.category_id from afterpush.deliveries as s where s.delivery_id = d.delivery_id) as category_id
            offset 0
        ) as k
        cross join lateral unnest(d.category_ids, d.verified, d.numbers) as t (category_id, is_verified, number)
        offset 0
    ) as t;
end
$$;
comment on function afterpush.reply_places is
    'Returns the tables in which the texts of new replies are stored, and their verified categories.';
