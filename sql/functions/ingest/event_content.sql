-- The content of an event as one text, which is equal for two copies of the same event; count_conflicting_events
-- compares it.
--
-- The content leaves out what depends on when and with which key a copy was sent: skew and verified. Of a reply it has
-- the length only; count_conflicting_events compares the text itself. trim_scale makes 1.0 and 1.00 equal.
create or replace function afterpush.event_content(
    kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text,
    category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text,
    app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text,
    value numeric, currency text, properties jsonb
)
returns text
language sql stable parallel safe
return row(
    kind, action_identifier, text_length, campaign_id, variant, category_id, category_version, platform, app_version,
    os_version, locale, surface, trigger, app_state, dismiss_cause, handling, utc_offset_minutes, reason, name,
    trim_scale(value), currency, properties
)::text;
comment on function afterpush.event_content is
    'Returns the content of an event as one text, which is equal for copies of the same event.';
