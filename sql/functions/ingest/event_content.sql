-- All that an event says, as one text: the same event sent again has the same. What depends on when and with which key
-- it was sent (skew, verified) is no part of it. The text of a reply is: its digest, while the text is kept.
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
comment on function afterpush.event_content is 'All that an event says, as one text.';
