-- Declares a campaign, or changes it.
-- $1: app_id. $2: campaign_id. $3: name. $4: category_id. $5: goal_actions. $6: response window in seconds.
-- $7: starts_at. $8: planned_deliveries. $9: minimum_effect. $10: whether it is archived; a campaign that is archived
-- already keeps its archived_at. $11: holdout.
insert into afterpush.campaigns as c
    (
        app_id, campaign_id, name, category_id, goal_actions, response_window, starts_at, planned_deliveries,
        minimum_effect, archived_at, holdout
    )
values ($1, $2, $3, $4, $5, make_interval(secs => $6), $7, $8, $9, case when $10 then now() end, $11)
on conflict (app_id, campaign_id) do update set
    name = excluded.name,
    category_id = excluded.category_id,
    goal_actions = excluded.goal_actions,
    response_window = excluded.response_window,
    starts_at = excluded.starts_at,
    planned_deliveries = excluded.planned_deliveries,
    minimum_effect = excluded.minimum_effect,
    archived_at = case when $10 then coalesce(c.archived_at, now()) end,
    holdout = excluded.holdout
