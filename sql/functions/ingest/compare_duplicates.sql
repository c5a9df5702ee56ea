-- Compares duplicates, events whose identity is stored already, with the stored events.
--
-- The arguments hold a column each: the position of the event, its identity (delivery_id, event_id, device_time),
-- whether it is verified, its content as event_content returns it, the names as event_names returns them, and the reply
-- text. A text is compared only while the stored one is kept, and a name only if neither copy had it past its limit.
-- Returns one row: the positions of the events that upgrade the stored one, because they are verified and it is not;
-- and the number of conflicts, which are other duplicates with another content. Deletes the reply texts of the events
-- that are upgraded, so that those of the verified copies can be stored.
--
-- Runs as the owner, because role afterpush_ingest may read only the keys of events. It is volatile, so that it sees
-- events that another transaction committed while this one waited for it.
create or replace function afterpush.compare_duplicates(
    places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamptz[], verified boolean[],
    contents text[], names jsonb[], user_texts text[], out upgrades bigint[], out conflicts bigint
)
language sql volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
    with upgraded as materialized (
        select delivery_id, event_id, device_time
        from unnest(delivery_ids, event_ids, device_times, compare_duplicates.verified)
            as i (delivery_id, event_id, device_time, verified)
        join afterpush.events as e using (delivery_id, event_id, device_time)
        where i.verified and not e.verified
    ),
    deleted as (
        delete from afterpush.replies as r
        using upgraded as u
        where (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
    )
    delete from afterpush.waiting_replies as r
    using upgraded as u
    where (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time);
    select
        array_agg(i.place) filter (where i.verified and not e.verified),
        count(*) filter (
            where (e.verified or not i.verified)
              and (
                  i.user_text <> r.user_text
                  or i.content <> afterpush.event_content(
                      e.kind::text, e.text_length, e.platform, e.os_version, e.locale, e.surface, e.trigger,
                      e.app_state, e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value,
                      e.currency, e.properties
                  )
                  or i.names <> stored.names
                  and exists (
                      select
                      from jsonb_each(i.names) as one (kind, name)
                      join jsonb_each(stored.names) as other (kind, name) using (kind)
                      where one.name <> other.name
                  )
              )
        )
    from unnest(
        places, delivery_ids, event_ids, device_times, compare_duplicates.verified, contents, compare_duplicates.names,
        user_texts
    ) as i (place, delivery_id, event_id, device_time, verified, content, names, user_text)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
    cross join lateral afterpush.event_names(
        e.action_identifier, e.campaign_id, e.variant, e.category_id, e.category_version, e.app_version,
        e.names_past_limit
    ) as stored (names)
$$;
comment on function afterpush.compare_duplicates is
    'Finds events that upgrade a stored unverified one, and counts other duplicates with another content.';
