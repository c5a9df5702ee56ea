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
