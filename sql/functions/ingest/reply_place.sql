-- How long the texts of a category are kept, by its newest version; without one, or without a category, by the app.
create or replace function afterpush.text_retention(app_id integer, category_id text) returns interval
language sql stable
return coalesce(
    (
        select c.text_retention
        from afterpush.categories as c
        where c.app_id = text_retention.app_id
          and c.category_id = text_retention.category_id
        order by c.version desc
        limit 1
    ),
    (select a.text_retention from afterpush.apps as a where a.app_id = text_retention.app_id)
);
comment on function afterpush.text_retention is 'Returns how long the reply texts of a category are kept.';

-- Whether the app or one of its categories keeps no text.
create or replace function afterpush.has_textless_category(app_id integer) returns boolean
language sql stable
return exists (
    select
    from (
        select distinct category_id from afterpush.categories as c where c.app_id = has_textless_category.app_id
    ) as c
    where afterpush.text_retention(has_textless_category.app_id, c.category_id) <= interval '0'
);
comment on function afterpush.has_textless_category is 'Returns whether a category of the app keeps no reply texts.';

-- Where the text of a new reply goes: `replies`, `waiting_replies`, or null if it is not kept.
--
-- The category of the delivery decides, so that it is enough if the server states it. The event's own is used until the
-- delivery has one. If neither is known, the text could belong to a category that keeps none, if the app has such a
-- category. It waits then, where no report can read it, until the category is known (release_waiting_replies).
--
-- Runs as the owner, because role afterpush_ingest can't read deliveries.
create or replace function afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) returns text
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select case
        when afterpush.text_retention(reply_place.app_id, known.category_id) <= interval '0' then null
        when known.category_id is null and afterpush.has_textless_category(reply_place.app_id) then 'waiting_replies'
        else 'replies'
    end
    from (
        select coalesce(
            (select d.category_id from afterpush.deliveries as d where d.delivery_id = reply_place.delivery_id),
            reply_place.category_id
        ) as category_id
    ) as known
$$;
comment on function afterpush.reply_place is
    'Returns the table in which the text of a new reply is stored; null if it is not kept.';
