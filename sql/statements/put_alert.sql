-- Puts an alert rule, or replaces the one with the same name. It is evaluated at once. Its states stay: an alert that is
-- firing resolves by the new definition.
-- $1: app_id. $2: alert_name. $3: built_in. $4: enabled. $5: definition. $6: destinations; null for those of the app.
insert into afterpush.alert_rules (app_id, alert_name, built_in, enabled, definition, destinations)
values ($1, $2, $3, $4, $5, $6)
on conflict (app_id, alert_name) do update set
    built_in = excluded.built_in,
    enabled = excluded.enabled,
    definition = excluded.definition,
    destinations = excluded.destinations,
    next_evaluation_at = now(),
    claim = null,
    claimed_until = null,
    problem = null
