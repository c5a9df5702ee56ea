import TestSupport

/// A second way to find the texts of a rejected event that can be its device's ID, in SQL, and slow.
enum RejectedEventOracle {
    /// Creates the functions in a schema of their own.
    static func install(_ app: TestApp) async throws {
        try await TestCluster.script(
            "create schema oracle; grant usage on schema oracle to public;\n" + functions, on: app.conninfo)
    }

    private static let functions = #"""
        -- Returns the text that a text with a character for each byte encodes in UTF-8; unchanged if it is not UTF-8.
        create or replace function oracle.utf8_text(bytes text) returns text
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

        -- The devices that receipts in a text are bound to, and whatever else is called `sub` in them, at any depth. The receipts
        -- are not verified, and need not be whole.
        create or replace function oracle.encoded_subjects(content text) returns text[]
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
                select distinct oracle.utf8_text(subject.name)
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
        -- All texts of a rejected event that are as long as an id can be, at any depth and under any name.
        --
        -- event: the text of the event. It need not be valid JSON.
        create or replace function oracle.rejected_event_texts(event text) returns text[]
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
        -- The texts of a rejected event that can be the device's id, for the search by hash.
        --
        -- event: the text of the event. It need not be valid JSON.
        -- These are all values of device_id, at any depth and of every occurrence, and the devices that receipts in it are bound
        -- to. If there is neither, they are all texts of the event, because the id may have another name. A text with white
        -- space around it is returned without it, too.
        -- Receipts are read without verifying them, because erasure has to find every mention of a device.
        create or replace function oracle.rejected_event_devices(event text) returns text[]
        language plpgsql immutable
        as $$
        declare
            devices text[] := oracle.encoded_subjects(afterpush.rejected_event_readings(event));
            device text;
        begin
            begin
                -- jsonb would keep only the last of the fields that are stated twice.
                devices := devices || array(
                    select stated.scalar #>> '{}'
                    from json_each(event::json) as field
                    cross join jsonb_path_query(field.value::jsonb, 'strict $.**') as stated (scalar)
                    where field.key = 'device_id'
                      and jsonb_typeof(stated.scalar) in ('string', 'number')
                );
            exception when others then
                device := substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"');
                begin
                    -- Resolves escapes.
                    device := ('"' || device || '"')::jsonb #>> '{}';
                exception when others then null;
                end;
                devices := array_append(devices, device);
            end;
            devices := array_remove(devices, null);
            if devices = '{}' then
                devices := oracle.rejected_event_texts(event);
            end if;
            return devices || array(
                select btrim(named.device, E' \t\r\n')
                from unnest(devices) as named (device)
                where named.device ~ '^\s|\s$'
            );
        end
        $$;
        """#
}
