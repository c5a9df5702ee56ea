-- Declares a version of a category.
-- $1: app_id. $2: category_id. $3: version. $4: effective_from; null means -infinity. $5: options.
-- $6: text_retention, an interval as text; null uses that of the app. $7: min_app_version. $8: intent_identifiers.
insert into afterpush.categories
    (app_id, category_id, version, effective_from, options, text_retention, min_app_version, intent_identifiers)
values ($1, $2, $3, coalesce($4, '-infinity'), $5, $6::text::interval, $7, $8)
