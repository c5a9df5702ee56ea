-- The names of an event as a JSON object by kind of name, without those that were past their limit.
--
-- Copies of the same event can differ in these: a name that was past its limit when one copy arrived may have been
-- allowed when the other did. So compare_duplicates compares only the names that both copies have.
create or replace function afterpush.event_names(
    action_identifier text, campaign_id text, variant text, category_id text, category_version integer,
    app_version text, names_past_limit text[]
)
returns jsonb
language sql stable parallel safe
return jsonb_build_object(
    'action', action_identifier, 'campaign', campaign_id, 'variant', variant, 'category', category_id,
    'category_version', category_version, 'app_version', app_version
) - coalesce(names_past_limit, '{}');
comment on function afterpush.event_names is
    'Returns the names of an event as a JSON object, without those that were past their limit.';
