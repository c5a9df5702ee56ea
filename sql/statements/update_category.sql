-- Changes what all versions of a category share.
-- $1: app_id. $2: category_id. $3: text_retention, an interval as text; null uses that of the app.
-- $4: intent_identifiers.
update afterpush.categories
set text_retention = $3::text::interval,
    intent_identifiers = $4
where app_id = $1
  and category_id = $2
