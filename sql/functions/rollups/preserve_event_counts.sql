-- Remembers the numbers of events that are about to be erased, so that rollup_events keeps them and still equals its
-- recomputation. An erasure calls it before it deletes the events of a device.
--
-- delivery_ids: deliveries, or identities of a device alone, whose events are all merged.
create or replace function afterpush.preserve_event_counts(delivery_ids uuid[]) returns void
language sql
begin atomic
    insert into afterpush.erased_event_counts as k
    select
        app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, count(*)
    from afterpush.merged_events
    where delivery_id = any (delivery_ids)
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind) do update set
        events = k.events + excluded.events;
end;
comment on function afterpush.preserve_event_counts is
    'Remembers the numbers of events that are about to be erased, so that rollups keep them.';
