-- Which of some events are stored with other content. They run as the owner, since ingest can read no more than keys.
create or replace function afterpush.conflicting_events(
    delivery_ids uuid[], event_ids uuid[], device_times timestamptz[], kinds text[], action_identifiers text[],
    text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[],
    platforms text[], properties jsonb[]
)
returns bigint
language sql stable
security definer
set search_path = pg_catalog, pg_temp
return (
    select count(*)
    from unnest(
        delivery_ids, event_ids, device_times, kinds, action_identifiers, text_lengths, campaign_ids, variants,
        category_ids, category_versions, platforms, properties
    ) as i (
        delivery_id, event_id, device_time, kind, action_identifier, text_length, campaign_id, variant, category_id,
        category_version, platform, properties
    )
    join afterpush.events as e using (delivery_id, event_id, device_time)
    where (i.kind, i.action_identifier, i.text_length, i.campaign_id, i.variant, i.category_id, i.category_version,
           i.platform, i.properties)
        is distinct from
          (e.kind::text, e.action_identifier, e.text_length, e.campaign_id, e.variant, e.category_id,
           e.category_version, e.platform, e.properties)
);
comment on function afterpush.conflicting_events is 'How many of some events are stored with other content.';
