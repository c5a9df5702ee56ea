-- What is behind the base64 in a text: receipts above all, wherever they stand in it, whole or damaged.
--
-- A run of letters of base64 or base64url does not show where an encoded text begins: something may stand in front of
-- it (`Bearer`, a path, another receipt), or its beginning may be missing. Four letters hold three bytes, so the run is
-- decoded four times, each time from the next letter. White space within an encoded text is removed first.
--
-- content: any text.
-- Returns the decoded texts that can be JSON: those with a quote and eight printable characters in a row. Each byte is
-- a character (LATIN1), because what stands in front is seldom valid UTF-8.
create or replace function afterpush.base64_texts(content text) returns text[]
language plpgsql immutable
as $$
declare
    -- Which characters \s matches depends on the database's locale: not U+0085 and U+00A0, in some.
    white_space constant text := '[\s\u001c-\u001f\u0085\u00a0\u200b-\u200f\u2060\ufeff]+';
    letters text;
    used integer;
    bytes bytea;
    decoded text;
    texts text[] := '{}';
begin
    for letters in
        select distinct translate(found.run[1], '-_', '+/')
        from regexp_matches(
            regexp_replace(content, white_space, '', 'g'), '[A-Za-z0-9+/_-]{12,}', 'g'
        ) as found (run)
    loop
        for start in 1..4 loop
            used := length(letters) - start + 1;
            -- A single letter behind the last four holds no byte.
            used := used - (used % 4 = 1)::integer;
            bytes := decode(rpad(substr(letters, start, used), (used + 3) / 4 * 4, '='), 'base64');
            continue when position('"'::bytea in bytes) = 0;
            decoded := afterpush.latin1_text(bytes);
            if decoded ~ '[ -~]{8}' then
                texts := array_append(texts, decoded);
            end if;
        end loop;
    end loop;
    return texts;
end
$$;
comment on function afterpush.base64_texts is 'Returns what is behind the base64 in a text, each byte as a character.';
