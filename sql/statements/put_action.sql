-- Declares an action of a category version.
-- $1: app_id. $2: category_id. $3: version. $4: action_id. $5: position. $6: title. $7: options. $8: text_input.
-- $9: button_title. $10: placeholder. $11: goal. $12: min_app_version.
insert into afterpush.actions (
    app_id, category_id, version, action_id, position, title, options, text_input, button_title, placeholder, goal,
    min_app_version
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
