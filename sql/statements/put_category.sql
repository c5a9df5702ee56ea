-- Puts version $3 of category $2 of app $1.
-- $4 effective_from, $5 options, $6 text_retention (an interval as text, null for the app's).
insert into afterpush.categories (app_id, category_id, version, effective_from, options, text_retention)
values ($1, $2, $3, $4, $5, $6::text::interval)
