-- Declares a campaign with its variants, or changes it. Goals and weights that stay the same keep the time of their
-- declaration.
-- $1: app_id. $2: campaign_id. $3: name. $4: category_id. $5: goal_actions. $6: response window in seconds.
-- $7: conversion window in seconds; null for the response window. $8: starts_at. $9: planned_deliveries.
-- $10: minimum_effect. $11: whether it is archived; a campaign that is archived already keeps its archived_at.
-- $12: holdout. $13 to $15: the variants, a column each: variant, weight, control.
--
-- One statement, after which the triggers lock the names of the app: events wait only until the transaction ends.
with new_variants as materialized (
    select v.variant, v.weight, v.control
    from unnest($13::text[] collate "C", $14::double precision[], $15::boolean[]) as v (variant, weight, control)
),
changed_weights as materialized (
    select
    from (
        select v.variant, v.weight
        from afterpush.campaign_variants as v
        where v.app_id = $1
          and v.campaign_id = $2
    ) as old
    full join new_variants as new using (variant)
    where old.weight is distinct from new.weight
),
put as (
    insert into afterpush.campaigns as c
        (
            app_id, campaign_id, name, category_id, goal_actions, response_window, conversion_window, starts_at,
            planned_deliveries, minimum_effect, archived_at, holdout, goals_declared_at, weights_declared_at
        )
    values (
        $1, $2, $3, $4, $5, make_interval(secs => $6), make_interval(secs => $7), $8, $9, $10,
        case when $11 then now() end, $12, case when $5::text[] <> '{}' then now() end,
        case when exists (select from changed_weights) then now() end
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
        end,
        weights_declared_at = coalesce(excluded.weights_declared_at, c.weights_declared_at)
),
dropped_variants as (
    delete from afterpush.campaign_variants as v
    where v.app_id = $1
      and v.campaign_id = $2
      and not exists (select from new_variants as n where n.variant = v.variant)
)
insert into afterpush.campaign_variants as v (app_id, campaign_id, variant, weight, control)
select $1, $2, n.variant, n.weight, n.control
from new_variants as n
on conflict (app_id, campaign_id, variant) do update
set weight = excluded.weight,
    control = excluded.control
where (v.weight, v.control) is distinct from (excluded.weight, excluded.control)
