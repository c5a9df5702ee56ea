-- Frozen: the unique indexes of rollup_delivery_counts, rollup_app_version_counts and rollup_goal_days contain its
-- results. With other results, the same set of actions would get a second row.

-- The digest of a set of actions, for unique indexes.
--
-- A delivery has up to 32 actions of up to 256 bytes each. That is more than an entry of an index can hold, so the
-- rollups' keys contain this digest instead of the set.
--
-- actions: the identifiers, in byte order.
-- Returns an empty value for the empty set, else the SHA-256 of the array's text.
create or replace function afterpush.actions_key(actions text[]) returns bytea
language plpgsql immutable strict parallel safe
as $$
begin
    return case when actions = '{}' then '' else sha256(convert_to(actions::text, 'UTF8')) end;
end
$$;
comment on function afterpush.actions_key is
    'The digest that stands for a set of actions in a key: empty for no actions, else its SHA-256.';
