-- The content of an event as one text, which is equal for two copies of the same event; compare_duplicates compares it.
--
-- The content leaves out what depends on when and with which key a copy was sent: skew and verified. It also leaves out
-- the names, which function event_names returns. Of a reply it has the length only; compare_duplicates compares the
-- text itself. trim_scale makes 1.0 and 1.00 equal.
create or replace function afterpush.event_content(
    kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text,
    app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text,
    value numeric, currency text, properties jsonb
)
returns text
language sql stable parallel safe
return row(
    kind, text_length, platform, os_version, locale, surface, trigger, app_state, dismiss_cause, handling,
    utc_offset_minutes, reason, name, trim_scale(value), currency, properties
)::text;
comment on function afterpush.event_content is
    'Returns the content of an event, without its names, as one text, which is equal for copies of the same event.';
