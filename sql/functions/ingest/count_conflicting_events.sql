-- Counts the conflicts among duplicates: events whose identity is stored already, but with other content.
--
-- The arguments hold a column each: the identity (delivery_id, event_id, device_time), the content as event_content
-- returns it, the names as event_names returns them, and the reply text. A text is compared only while the stored one
-- is kept, and a name only if neither copy had it past its limit.
--
-- Runs as the owner, because role afterpush_ingest may read only the keys of events.
create or replace function afterpush.count_conflicting_events(
    delivery_ids uuid[], event_ids uuid[], device_times timestamptz[], contents text[], names jsonb[],
    user_texts text[]
)
returns bigint
language sql volatile
security definer
set search_path = pg_catalog, pg_temp
return (
    select count(*)
    from unnest(delivery_ids, event_ids, device_times, contents, names, user_texts)
        as i (delivery_id, event_id, device_time, content, names, user_text)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
    cross join lateral afterpush.event_names(
        e.action_identifier, e.campaign_id, e.variant, e.category_id, e.category_version, e.app_version,
        e.names_past_limit
    ) as stored (names)
    where i.user_text <> r.user_text
       or i.content <> afterpush.event_content(
           e.kind::text, e.text_length, e.platform, e.os_version, e.locale, e.surface, e.trigger, e.app_state,
           e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value, e.currency, e.properties
       )
       or i.names <> stored.names
       and exists (
           select
           from jsonb_each(i.names) as one (kind, name)
           join jsonb_each(stored.names) as other (kind, name) using (kind)
           where one.name <> other.name
       )
);
comment on function afterpush.count_conflicting_events is
    'Counts the given events that are stored with other content.';
