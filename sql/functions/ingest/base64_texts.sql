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

-- Returns the text that a text with a character for each byte encodes in UTF-8; unchanged if it is not UTF-8.
create or replace function afterpush.utf8_text(bytes text) returns text
language plpgsql immutable
as $$
begin
    if bytes !~ '[^\u0001-\u007f]' then
        return bytes;
    end if;
    return convert_from(convert_to(bytes, 'LATIN1'), 'UTF8');
exception when others then
    return bytes;
end
$$;
comment on function afterpush.utf8_text is
    'Returns the text that a text with a character for each byte encodes in UTF-8.';

-- The devices that receipts in a text are bound to, and whatever else is called `sub` in them, at any depth. The receipts
-- are not verified, and need not be whole.
create or replace function afterpush.encoded_subjects(content text) returns text[]
language plpgsql immutable
as $$
declare
    -- With it between two texts, the first one's end is no name of the second one's beginning.
    separator constant text := E'\n"\n';
    claims text := array_to_string(afterpush.base64_texts(content), separator);
begin
    if claims = '' then
        return '{}';
    end if;
    if strpos(claims, '\') > 0 then
        claims := concat_ws(separator, claims, afterpush.without_json_escapes(claims));
    end if;
    return array(
        select distinct afterpush.utf8_text(subject.name)
        from regexp_matches(
            claims, '"sub"\s*:\s*(?:"((?:[^"\\\n]|\\.)*)(?:"|$)|(-?[0-9][0-9.eE+-]*))', 'gn'
        ) as found (value)
        cross join lateral (
            values (found.value[1]), (afterpush.without_json_escapes(found.value[1])), (found.value[2])
        ) as subject (name)
        where subject.name <> ''
    );
end
$$;
comment on function afterpush.encoded_subjects is
    'Returns the devices that receipts in a text are bound to, without verifying them.';
