-- An answer as it is counted: in composed form (NFC), lower case, trimmed, white space collapsed. ICU, if the server
-- has it, makes the lower case, so that it does not depend on the database's locale.
do $$
begin
    execute format(
        $function$
        create or replace function afterpush.normalised_answer(answer text) returns text
        language sql immutable parallel safe
        return normalize(btrim(regexp_replace(
            lower(normalize(answer, nfc) %s),
            E'[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+',
            ' ', 'g'
        )), nfc)
        $function$,
        case
            when exists (select from pg_catalog.pg_collation where collname = 'und-x-icu') then 'collate "und-x-icu"'
        end
    );
end
$$;
comment on function afterpush.normalised_answer is 'An answer in lower case, trimmed, white space collapsed, NFC.';
