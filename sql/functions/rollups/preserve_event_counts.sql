-- Remembers the numbers of events that are about to be erased, so that rollup_events keeps them and still equals its
-- recomputation. An erasure calls it before it deletes them.
--
-- delivery_ids, event_ids, device_times: the keys of the events, which are all merged.
create or replace function afterpush.preserve_event_counts(
    delivery_ids uuid[], event_ids uuid[], device_times timestamptz[]
) returns void
language sql
begin atomic
    insert into afterpush.erased_event_counts as k
    select
        m.app_id, m.verified, m.event_hour, m.campaign_id, m.variant, m.category_id, m.platform, m.kind, count(*)
    from unnest(delivery_ids, event_ids, device_times) as p (delivery_id, event_id, device_time)
    join afterpush.merged_events as m using (delivery_id, event_id, device_time)
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind) do update set
        events = k.events + excluded.events;
end;
comment on function afterpush.preserve_event_counts is
    'Remembers the numbers of events that are about to be erased, so that rollups keep them.';
