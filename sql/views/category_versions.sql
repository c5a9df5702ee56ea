-- Versions of categories, with the hours at which each is in force and what follows from its options and actions.
--
-- Of the versions whose hour has come, the one with the latest hour is in force, and of several with that hour the
-- highest. So a version that is declared with an earlier hour does not end a later one. Version 1 is in force from the
-- beginning of time, so deliveries that came in before their category was declared belong to it.
--
-- in_force_from, in_force_to  the hours, UTC, the end excluded; an empty range if a higher version has the same hour
-- dismiss_observable          whether devices report dismissals
-- offered, goals, destructive identifiers of the actions that the version offers, of its goals, and of those that are
--                             declared destructive
-- offers_text                 whether one of the actions is a text input
create or replace view afterpush.category_versions with (security_invoker = true) as
select
    c.app_id,
    c.category_id,
    c.version,
    c.in_force_from,
    lead(c.in_force_from, 1, 'infinity') over (
        partition by c.app_id, c.category_id order by c.in_force_from, c.version
    ) as in_force_to,
    c.dismiss_observable,
    c.retired_at,
    coalesce(a.offered, '{}') as offered,
    coalesce(a.goals, '{}') as goals,
    coalesce(a.destructive, '{}') as destructive,
    coalesce(a.offers_text, false) as offers_text
from (
    select
        app_id,
        category_id,
        version,
        case
            when version = 1 then '-infinity'
            else date_trunc('hour', effective_from at time zone 'UTC') at time zone 'UTC'
        end as in_force_from,
        'customDismissAction' = any (options) as dismiss_observable,
        retired_at
    from afterpush.categories
) as c
left join lateral (
    select
        array_agg(action_id) as offered,
        array_agg(action_id) filter (where goal) as goals,
        array_agg(action_id) filter (where 'destructive' = any (options)) as destructive,
        bool_or(text_input) as offers_text
    from afterpush.actions
    where actions.app_id = c.app_id
      and actions.category_id = c.category_id
      and actions.version = c.version
) as a on true;
comment on view afterpush.category_versions is
    'Category versions with the hours at which they are in force and the actions that they offer.';
