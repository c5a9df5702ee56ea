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

    return query
    with periods as materialized (
        select a.app_id, p.shortest, p.longest
        from (select distinct i.app_id from unnest(app_ids) as i (app_id)) as a
        cross join lateral afterpush.text_periods(a.app_id) as p
    )
    select
        t.number,
        afterpush.text_place(
            t.app_id, p.shortest, p.longest, t.is_verified, c.verified_category, c.unverified_category, false
        ),
        c.verified_category
    from unnest(app_ids, delivery_ids, category_ids, reply_places.verified) with ordinality
        as t (app_id, delivery_id, category_id, is_verified, number)
    join periods as p on p.app_id = t.app_id
    -- `offset 0` lets text_place have plain columns as arguments, or PostgreSQL would not inline it.
    cross join lateral (
        select
            case
                when p.shortest < p.longest
                then coalesce(
                    afterpush.verified_category(t.delivery_id), case when t.is_verified then t.category_id end
                )
            end as verified_category,
            case
                when p.shortest < p.longest
                then coalesce(
                    (select d.category_id from afterpush.deliveries as d where d.delivery_id = t.delivery_id),
                    t.category_id
                )
            end as unverified_category
        offset 0
    ) as c;
end
$$;
comment on function afterpush.reply_places is
    'Returns the tables in which the texts of new replies are stored, and their verified categories.';
