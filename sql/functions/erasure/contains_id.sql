-- Whether a text contains an id, as the whole text or as a part with neither a letter nor a digit of ASCII next to it.
--
-- So `d1` is found in `https://x/?device=d1`, and a short id such as `1` not in every other id and time.
create or replace function afterpush.contains_id(content text, id text) returns boolean
language sql immutable parallel safe
-- strpos first, because it is much cheaper than a regular expression, and ids are rare.
return strpos(content, id) > 0
    and content ~ (
        '(?<![A-Za-z0-9])' || regexp_replace(id, '[!-/:-@[-`{-~]', '\\\&', 'g') || '(?![A-Za-z0-9])'
    );
comment on function afterpush.contains_id is
    'Returns whether a text contains an id without a letter or digit next to it.';

-- Returns bytes as a text with a character each; zeros become blanks, because a text can't hold them.
create or replace function afterpush.latin1_text(bytes bytea) returns text
language sql immutable parallel safe
as $$
    select convert_from(
        case
            when position('\x00'::bytea in bytes) = 0 then bytes
            -- In the format `escape`, a zero is \000, and a backslash is doubled.
            else decode(replace(replace(encode(bytes, 'escape'), '\\', '\134'), '\000', ' '), 'escape')
        end,
        'LATIN1'
    )
$$;
comment on function afterpush.latin1_text is 'Returns bytes as a text with a character each.';

-- Whether the content of a rejected event (function rejected_event_content) says an id. In what was behind base64, each
-- byte is a character, so the id is searched in this form, too.
create or replace function afterpush.says_id(content text, id text) returns boolean
language sql immutable parallel safe
return afterpush.contains_id(content, id)
    or octet_length(id) > length(id)
    and afterpush.contains_id(content, afterpush.latin1_text(convert_to(id, 'UTF8')));
comment on function afterpush.says_id is
    'Returns whether the content of a rejected event says an id, in UTF-8 or a character for each byte.';
