-- How many of some events are stored with other content. As the owner, since ingest can read no more than keys.
-- `user_texts` counts where a text is kept to compare it with.
create or replace function afterpush.differing_events(
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
comment on function afterpush.differing_events is 'How many of some events are stored with other content.';
