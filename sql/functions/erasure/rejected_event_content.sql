-- Returns a text with the escapes of JSON resolved. Characters that a text can't hold become U+FFFD.
create or replace function afterpush.without_json_escapes(escaped text) returns text
language sql immutable parallel safe
as $$
    select string_agg(
        case
            when piece !~ '^\\.' then piece
            when piece !~ '^\\u.' then translate(substr(piece, 2), 'bfnrt', E'\b\f\n\r\t')
            when length(piece) = 12 then chr(65536 + ((unit & 1023) << 10) + (second_unit & 1023))
            when unit = 0 or unit between 55296 and 57343 then E'\uFFFD'
            else chr(unit)
        end, '' order by place
    )
    from (
        select
            pieces[1] as piece,
            place,
            case when pieces[1] ~ '^\\u.' then ('x0000' || substr(pieces[1], 3, 4))::bit(32)::integer end as unit,
            case when pieces[1] ~ '^\\u.{10}' then ('x0000' || substr(pieces[1], 9, 4))::bit(32)::integer end
                as second_unit
        from regexp_matches(
            escaped,
            '\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.|\\|[^\\]+', 'g'
        ) with ordinality as found (pieces, place)
    ) as code_units
$$;
comment on function afterpush.without_json_escapes is 'Returns a text with the escapes of JSON resolved.';

-- Returns a text with the percent-encoding of URLs resolved.
-- other_bytes: what stands for an encoded byte that is no part of a character, or null if its encoding stays.
create or replace function afterpush.without_percent_encoding(encoded text, other_bytes text) returns text
language sql immutable parallel safe
as $$
    select string_agg(
        case
            when pieces[1] ~* '^%(?:00|[89a-f].)$' then coalesce(other_bytes, pieces[1])
            when pieces[1] ~ '^%.' then convert_from(decode(replace(pieces[1], '%', ''), 'hex'), 'UTF8')
            else pieces[1]
        end, '' order by place
    )
    from regexp_matches(
        encoded,
        -- The forms of UTF-8, of which Unicode's standard has a table (3-7).
        '%[0-9a-f]{2}|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]|%e0%[ab][0-9a-f]%[89ab][0-9a-f]'
            || '|%(?:e[1-9abcef])(?:%[89ab][0-9a-f]){2}|%ed%[89][0-9a-f]%[89ab][0-9a-f]'
            || '|%f0%[9ab][0-9a-f](?:%[89ab][0-9a-f]){2}|%f[1-3](?:%[89ab][0-9a-f]){3}'
            || '|%f4%8[0-9a-f](?:%[89ab][0-9a-f]){2}|%|[^%]+',
        'gi'
    ) with ordinality as found (pieces, place)
$$;
comment on function afterpush.without_percent_encoding is 'Returns a text with the percent-encoding of URLs resolved.';

-- Returns the text of a rejected event, which need not be valid JSON; without JSON escapes, if it has any; and without
-- percent-encoding, if it has any. Of encoded bytes that are no part of a character, an id can have the encoding in it, or
-- stand behind it.
create or replace function afterpush.rejected_event_readings(event text) returns text
language plpgsql immutable
as $$
declare
    plain text := event;
    content text := event;
begin
    if strpos(event, '\') > 0 then
        plain := afterpush.without_json_escapes(event);
        content := concat_ws(E'\n', event, plain);
    end if;
    if strpos(plain, '%') > 0 then
        content := concat_ws(E'\n', content, afterpush.without_percent_encoding(plain, null));
    end if;
    if plain ~* '%(?:00|[89a-f][0-9a-f])' then
        content := concat_ws(E'\n', content, afterpush.without_percent_encoding(plain, E'\uFFFD'));
    end if;
    return content;
end
$$;
comment on function afterpush.rejected_event_readings is
    'Returns the text of a rejected event, with and without JSON escapes and percent-encoding.';

-- Returns what a rejected event says, for the search for an id (function says_id): its readings, and what is behind the
-- base64 in them, without JSON escapes, too.
create or replace function afterpush.rejected_event_content(event text) returns text
language plpgsql immutable
as $$
declare
    content text := afterpush.rejected_event_readings(event);
    decoded text := array_to_string(afterpush.base64_texts(content), E'\n');
begin
    return concat_ws(
        E'\n', content, nullif(decoded, ''),
        case when strpos(decoded, '\') > 0 then afterpush.without_json_escapes(decoded) end
    );
end
$$;
comment on function afterpush.rejected_event_content is
    'Returns the text of a rejected event and what is behind the encodings in it, for the search for an id.';
