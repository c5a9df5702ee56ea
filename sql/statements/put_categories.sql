-- Declares versions of categories with their actions.
-- $1: app_id. $2: effective_from. $3 to $9: the versions, a column each: category_id, version, whether it is in force
-- from the beginning of time, options separated by spaces, text_retention (an interval as text, null for that of the
-- app), min_app_version, and intent_identifiers as JSON.
-- $10 to $20: their actions, a column each: category_id, version, position, action_id, title, options separated by
-- spaces, text_input, button_title, placeholder, goal, min_app_version.
--
-- One statement, after which the triggers lock the names of the app: events wait only until the transaction ends.
with new_versions as (
    insert into afterpush.categories
        (app_id, category_id, version, effective_from, options, text_retention, min_app_version, intent_identifiers)
    select
        $1::integer, v.category_id, v.version, case when v.from_beginning then '-infinity' else $2::timestamptz end,
        string_to_array(v.options, ' '), v.text_retention::interval, v.min_app_version,
        array(
            select i.identifier
            from json_array_elements_text(v.intents::json) with ordinality as i (identifier, place)
            order by i.place
        )
    from unnest($3::text[], $4::integer[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::text[])
        as v (category_id, version, from_beginning, options, text_retention, min_app_version, intents)
)
insert into afterpush.actions (
    app_id, category_id, version, position, action_id, title, options, text_input, button_title, placeholder, goal,
    min_app_version
)
select
    $1::integer, a.category_id, a.version, a.position, a.action_id, a.title, string_to_array(a.options, ' '),
    a.text_input, a.button_title, a.placeholder, a.goal, a.min_app_version
from unnest(
    $10::text[], $11::integer[], $12::integer[], $13::text[], $14::text[], $15::text[], $16::boolean[], $17::text[],
    $18::text[], $19::boolean[], $20::text[]
) as a (
    category_id, version, position, action_id, title, options, text_input, button_title, placeholder, goal,
    min_app_version
)
