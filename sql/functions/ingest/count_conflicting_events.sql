-- Counts the conflicts among duplicates: events whose identity is stored already, but with other content.
--
-- The arguments hold a column each: the identity (delivery_id, event_id, device_time), the content as event_content
-- returns it, and the reply text. A text is compared only while the stored one is kept.
--
-- Runs as the owner, because role afterpush_ingest may read only the keys of events.
create or replace function afterpush.count_conflicting_events(
    delivery_ids uuid[], event_ids uuid[], device_times timestamptz[], contents text[], user_texts text[]
)
returns bigint
language sql volatile
security definer
set search_path = pg_catalog, pg_temp
return (
    select count(*)
    from unnest(delivery_ids, event_ids, device_times, contents, user_texts)
        as i (delivery_id, event_id, device_time, content, user_text)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
    where i.user_text <> r.user_text
       or i.content <> afterpush.event_content(
           e.kind::text, e.action_identifier, e.text_length, e.campaign_id, e.variant, e.category_id,
           e.category_version, e.platform, e.app_version, e.os_version, e.locale, e.surface, e.trigger, e.app_state,
           e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value, e.currency, e.properties
       )
);
comment on function afterpush.count_conflicting_events is
    'Counts the given events that are stored with other content.';
