-- Declares a campaign, or changes it. Goals that stay the same keep the time of their declaration.
-- $1: app_id. $2: campaign_id. $3: name. $4: category_id. $5: goal_actions. $6: response window in seconds.
-- $7: conversion window in seconds; null for the response window. $8: starts_at. $9: planned_deliveries.
-- $10: minimum_effect. $11: whether it is archived; a campaign that is archived already keeps its archived_at.
-- $12: holdout.
insert into afterpush.campaigns as c
    (
        app_id, campaign_id, name, category_id, goal_actions, response_window, conversion_window, starts_at,
        planned_deliveries, minimum_effect, archived_at, holdout, goals_declared_at
    )
values (
    $1, $2, $3, $4, $5, make_interval(secs => $6), make_interval(secs => $7), $8, $9, $10,
    case when $11 then now() end, $12, case when $5::text[] <> '{}' then now() end
)
on conflict (app_id, campaign_id) do update set
    name = excluded.name,
    category_id = excluded.category_id,
    goal_actions = excluded.goal_actions,
    response_window = excluded.response_window,
    conversion_window = excluded.conversion_window,
    starts_at = excluded.starts_at,
    planned_deliveries = excluded.planned_deliveries,
    minimum_effect = excluded.minimum_effect,
    archived_at = case when $11 then coalesce(c.archived_at, now()) end,
    holdout = excluded.holdout,
    goals_declared_at = case
        when c.goal_actions @> excluded.goal_actions and c.goal_actions <@ excluded.goal_actions
        then c.goals_declared_at
        else now()
    end
