-- The events of some deliveries as they came, and what became of each, for the inspector.
-- $1: app_id. $2: delivery_ids. $3: events of a delivery at most. $4: whether to return reply texts.
-- Runs as afterpush_report. Returns the delivery_id, the device and the event as a JSON object, in the order in which they
-- happened. A batch that is compacted is counted, and has no row any more.
select
    e.delivery_id,
    e.device_id,
    (
        jsonb_strip_nulls(
            to_jsonb(e) - array['app_id', 'batch_id', 'delivery_id', 'device_time', 'occurred_at', 'properties']
            || jsonb_build_object(
                'occurred_at', e.device_time,
                'corrected_at', case when e.occurred_at <> e.device_time then e.occurred_at end,
                'stored_at', b.started_at,
                'user_text', case when $4 then r.user_text end,
                'text_kept', case when e.kind = 'text_input' then r.user_text is not null end
            )
        )
        || jsonb_build_object('counted', b.batch_id is null or b.rolled_up_at is not null)
        || case when e.properties is null then '{}' else jsonb_build_object('properties', e.properties) end
    )::text
from unnest($2) with ordinality as asked (delivery_id, place)
cross join lateral (
    select *
    from afterpush.events
    where events.delivery_id = asked.delivery_id
      and events.app_id = $1
    order by events.occurred_at, events.event_id
    limit $3
) as e
left join afterpush.batches as b on b.batch_id = e.batch_id
left join afterpush.replies as r
    on r.delivery_id = e.delivery_id
    and r.event_id = e.event_id
    and r.device_time = e.device_time
order by asked.place, e.occurred_at, e.event_id
