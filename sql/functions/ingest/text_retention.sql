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

-- The shortest and the longest time for which the app keeps texts, by any of its categories or without one. If they are
-- the same, no category needs to be known.
--
-- All versions of a category have the same period (update_category), so this looks up the two ends of the index
-- categories_text_retention, however many versions there are.
--
-- PostgreSQL inlines this function into its caller: keep it one select without `set`. `offset 0` lets it look up both ends
-- once for an app, instead of wherever the caller uses them.
create or replace function afterpush.text_periods(app_id integer)
returns table (shortest interval, longest interval)
language sql stable
as $$
    select
        least(
            a.text_retention,
            (select min(c.text_retention) from afterpush.categories as c where c.app_id = text_periods.app_id)
        ),
        greatest(
            a.text_retention,
            (select max(c.text_retention) from afterpush.categories as c where c.app_id = text_periods.app_id)
        )
    from afterpush.apps as a
    where a.app_id = text_periods.app_id
    offset 0
$$;
comment on function afterpush.text_periods is
    'Returns the shortest and the longest time for which an app keeps reply texts.';

-- How long a text whose delivery has no verified category waits for one, before unverified events decide.
create or replace function afterpush.text_wait() returns interval
language sql immutable parallel safe
return interval '24 hours';
comment on function afterpush.text_wait is
    'Returns how long a reply text waits for a verified category before unverified events decide.';
