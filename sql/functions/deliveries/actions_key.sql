-- Frozen: the unique indexes of rollup_deliveries, rollup_app_versions and rollup_goal_days depend on it. With other
-- results, the same set of actions would get a second row.

-- The digest of a set of actions, for unique indexes. The set itself, up to 32 actions of 256 bytes each, can be too
-- long for an index entry.
create or replace function afterpush.actions_key(actions text[]) returns bytea
language plpgsql immutable strict parallel safe
as $$
begin
    return case when actions = '{}' then '' else sha256(convert_to(actions::text, 'UTF8')) end;
end
$$;
comment on function afterpush.actions_key is
    'Returns the SHA-256 of a set of actions for a key; empty for the empty set.';
