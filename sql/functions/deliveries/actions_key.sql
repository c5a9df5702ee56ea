-- Rollups. 32 actions of 256 bytes do not fit into an entry of an index, and one delivery that was answered with a dozen
-- long ones stopped all merging. Sets stand in keys by their digest.
create or replace function afterpush.actions_key(actions text[]) returns bytea
language plpgsql immutable strict parallel safe
as $$
begin
    return case when actions = '{}' then '' else sha256(convert_to(actions::text, 'UTF8')) end;
end
$$;
comment on function afterpush.actions_key is
    'What a set of actions is known by in a key: empty for none, else its SHA-256.';
