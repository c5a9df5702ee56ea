-- All texts of a rejected event that are as long as an id can be, at any depth and under any name.
--
-- event: the text of the event. It need not be valid JSON.
create or replace function afterpush.rejected_event_texts(event text) returns text[]
language plpgsql immutable
as $$
declare
    -- The parts between quotes: every second one and, because a stray quote shifts them, every other one that does not
    -- look like a separator. Once without escape sequences, in which a quote ends no text, and once with them. This needs
    -- no valid JSON, and keeps fields that are stated twice.
    texts text[] := array(
        select part.text
        from (values (event), (regexp_replace(event, '\\.', '', 'g'))) as source (text)
        cross join unnest(string_to_array(source.text, '"')) with ordinality as part (text, place)
        where part.place % 2 = 0
           or part.text !~ '^[][{}:,[:space:]]'
    );
begin
    begin
        -- Resolves escapes, and finds numbers.
        texts := texts || array(
            select text.scalar #>> '{}'
            from jsonb_path_query(event::jsonb, 'strict $.**') as text (scalar)
            where jsonb_typeof(text.scalar) in ('string', 'number')
        );
    exception when others then
        -- Escapes are resolved only where an id should be.
        begin
            texts := array_append(
                texts,
                ('"' || substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"') || '"')::jsonb #>> '{}'
            );
        exception when others then null;
        end;
    end;
    return array(
        select distinct found.text
        from unnest(texts) as found (text)
        where octet_length(found.text) between 1 and 256
    );
end
$$;
comment on function afterpush.rejected_event_texts is
    'Returns all texts of a rejected event that are as long as an id can be.';
