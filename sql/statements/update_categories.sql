-- Changes what all versions of a category share, and brings back retired categories.
-- $1: app_id. $2 to $4: the categories, a column each: category_id, text_retention (an interval as text, null for that
-- of the app), and intent_identifiers as JSON.
update afterpush.categories as c
set text_retention = n.text_retention,
    intent_identifiers = n.intents,
    retired_at = null
from (
    select
        u.category_id, u.text_retention::interval as text_retention,
        array(
            select i.identifier
            from json_array_elements_text(u.intents::json) with ordinality as i (identifier, place)
            order by i.place
        ) as intents
    from unnest($2::text[], $3::text[], $4::text[]) as u (category_id, text_retention, intents)
) as n
where c.app_id = $1
  and c.category_id = n.category_id
  and (c.text_retention, c.intent_identifiers, c.retired_at)
      is distinct from (n.text_retention, n.intents, null::timestamptz)
