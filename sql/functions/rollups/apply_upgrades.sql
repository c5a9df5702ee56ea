-- Replaces stored unverified events by verified copies that came later, as if these had come first.
--
-- batches: the batches whose copies (event_upgrades) are applied.
-- sealed:  the start of the hours that are not sealed; -infinity if none is.
--
-- An event of a batch that is not merged yet is only replaced; merging counts it. Of merged events, what the unverified
-- ones said can't be subtracted from a minimum, so their deliveries are computed again from all their events. The
-- rollups change by the difference, as in a merge. A delivery of a sealed hour stays as it is, unless it had no verified
-- event (see merge_batches).
--
-- It applies those of deliveries that have about max_work events together, because each costs all events of its delivery.
-- Copies of events of a delivery with more than most_events are dropped: no notification has so many, unless they are made
-- up. An event takes about 0.1 ms, so a run takes about two seconds at most. Otherwise a client with a valid receipt could
-- delay the app's reports with a few copies. Events about a device alone are counted one by one, and have no such limit.
--
-- Returns whether all are applied; otherwise the next run goes on with the rest.
--
-- Copies are rare, so roll_up calls this only for batches that have one. It runs as the owner, because no other role may
-- change stored events.
create or replace function afterpush.apply_upgrades(
    batches bigint[], sealed timestamptz, most_events integer default 2000, max_work integer default 20000
) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    -- Deliveries whose events are merged and change.
    changed uuid[];
    -- Those of which nothing is applied in this run, and of which nothing is applied at all.
    later uuid[];
    dropped uuid[];
    -- The deliveries among them that are computed again.
    recomputed uuid[];
    -- The keys of merged events about a device alone that change. No delivery depends on them.
    alone_ids uuid[];
    alone_events uuid[];
    alone_times timestamptz[];
    counts afterpush.event_count[];
    checks afterpush.rollup_event_checks[];
    names afterpush.rollup_names[];
begin
    select
        coalesce(array_agg(d.delivery_id) filter (where d.events <= most_events and d.events_before < max_work), '{}'),
        coalesce(array_agg(d.delivery_id) filter (where d.events <= most_events and d.events_before >= max_work), '{}'),
        coalesce(array_agg(d.delivery_id) filter (where d.events > most_events), '{}')
    into changed, later, dropped
    from (
        select c.delivery_id, c.events, sum(c.events) over (order by c.events, c.delivery_id) - c.events as events_before
        from (
            select merged.delivery_id, afterpush.count_events_of(merged.delivery_id, most_events + 1) as events
            from (
                select distinct e.delivery_id
                from afterpush.event_upgrades as u
                join afterpush.events as e using (delivery_id, event_id, device_time)
                where u.batch_id = any (batches)
                  and not e.verified
                  and e.notification_id is not null
                  and not exists (
                      select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null
                  )
            ) as merged
        ) as c
    ) as d;
    delete from afterpush.event_upgrades where batch_id = any (batches) and delivery_id = any (dropped);
    recomputed := array(
        select d.delivery_id
        from afterpush.deliveries as d
        where d.delivery_id = any (changed)
          and (
              afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
              or d.verified_kinds = 0
              or exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
          )
    );
    select
        coalesce(array_agg(e.delivery_id), '{}'), coalesce(array_agg(e.event_id), '{}'),
        coalesce(array_agg(e.device_time), '{}')
    into alone_ids, alone_events, alone_times
    from afterpush.event_upgrades as u
    join afterpush.events as e using (delivery_id, event_id, device_time)
    join afterpush.batches as b on b.batch_id = e.batch_id
    where u.batch_id = any (batches)
      and not e.verified
      and e.notification_id is null
      and b.rolled_up_at is not null;
    counts := afterpush.event_counts_of(changed, sealed, -1)
        || afterpush.event_counts_of(alone_ids, sealed, -1, alone_events, alone_times);
    checks := afterpush.event_checks_of(changed, sealed, -1)
        || afterpush.event_checks_of(alone_ids, sealed, -1, alone_events, alone_times);
    names := afterpush.name_counts_of(changed, sealed, -1)
        || afterpush.name_counts_of(alone_ids, sealed, -1, alone_events, alone_times);

    update afterpush.events as e
    set (
            occurred_at, kind, verified, category_version, utc_offset_minutes, text_length,
            skew_milliseconds, receipt_issued_at, names_past_limit, device_id, notification_id, action_identifier,
            campaign_id, variant, category_id, platform, app_version, os_version, locale, surface, trigger,
            app_state, dismiss_cause, handling, reason, name, value, currency, properties
        ) = (
            u.occurred_at, u.kind, u.verified, u.category_version, u.utc_offset_minutes, u.text_length,
            u.skew_milliseconds, u.receipt_issued_at, u.names_past_limit, u.device_id, u.notification_id,
            u.action_identifier, u.campaign_id, u.variant, u.category_id, u.platform, u.app_version, u.os_version, u.locale,
            u.surface, u.trigger, u.app_state, u.dismiss_cause, u.handling, u.reason, u.name, u.value,
            u.currency, u.properties
        )
    from afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and u.delivery_id <> all (later)
      and (e.delivery_id, e.event_id, e.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and not e.verified;
    delete from afterpush.replies as r
    using afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and u.delivery_id <> all (later)
      and (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and u.kind <> 'text_input';
    delete from afterpush.waiting_replies as r
    using afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and u.delivery_id <> all (later)
      and (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and u.kind <> 'text_input';

    perform afterpush.recompute_deliveries(recomputed, sealed);
    perform afterpush.add_event_counts(
        counts || afterpush.event_counts_of(changed, sealed, 1)
            || afterpush.event_counts_of(alone_ids, sealed, 1, alone_events, alone_times)
    );
    perform afterpush.add_to_rollup_event_checks(
        checks || afterpush.event_checks_of(changed, sealed, 1)
            || afterpush.event_checks_of(alone_ids, sealed, 1, alone_events, alone_times)
    );
    perform afterpush.add_to_rollup_names(
        names || afterpush.name_counts_of(changed, sealed, 1)
            || afterpush.name_counts_of(alone_ids, sealed, 1, alone_events, alone_times)
    );
    perform afterpush.note_deliveries(array(
        select u.delivery_id
        from afterpush.event_upgrades as u
        where u.batch_id = any (batches)
          and u.delivery_id <> all (later)
    ));
    delete from afterpush.event_upgrades where batch_id = any (batches) and delivery_id <> all (later);
    return cardinality(later) = 0;
end
$$;
comment on function afterpush.apply_upgrades is
    'Replaces unverified events by verified copies that came later, and corrects deliveries and rollups; returns whether all are.';

-- The number of events of a delivery, or of an identity of a device alone, counted up to most.
create or replace function afterpush.count_events_of(delivery uuid, most integer) returns bigint
language sql stable
-- A bitmap would have all entries of the delivery, and a scan all of the table, before the limit ends them.
set enable_bitmapscan = off
set enable_seqscan = off
as $$
    select count(*)
    from (select from afterpush.events as e where e.delivery_id = delivery limit most) as counted
$$;
comment on function afterpush.count_events_of is 'Returns the number of events of a delivery, counted up to a limit.';

-- The shapes of some stored deliveries that the rollups count, each with a sign; null if there are none.
create or replace function afterpush.shapes_of(delivery_ids uuid[], sealed timestamptz, sign integer)
returns afterpush.delivery_shape[]
language sql stable
as $$
    select array_agg(
        row(
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_dimensions, kinds, verified_kinds,
            confirmed_time, sent_time, verified_confirmed_time, verified_sent_time,
            afterpush.timed_actions(actions, reached_at, verified_reached_at),
            sign,
            case when sign > 0 then afterpush.device_byte(delivery_id) end,
            case when sign < 0 then afterpush.device_byte(delivery_id) end
        )::afterpush.delivery_shape
    )
    from afterpush.keyed_deliveries
    where delivery_id = any (delivery_ids)
      and anchor_hour >= sealed
$$;
comment on function afterpush.shapes_of is 'The shapes of some stored deliveries that the rollups count, with a sign.';

-- The numbers of merged events of some deliveries, or identities of a device alone, each with a sign; null if there are
-- none.
--
-- event_ids, device_times: with delivery_ids, the keys of the events; null for all events of the deliveries.
create or replace function afterpush.event_counts_of(
    delivery_ids uuid[], sealed timestamptz, sign integer, event_ids uuid[] default null,
    device_times timestamptz[] default null
)
returns afterpush.event_count[]
language sql stable
as $$
    select array_agg(row(counted.*)::afterpush.event_count)
    from (
        select
            app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, sign * count(*) as events
        from (
            select * from afterpush.merged_events where event_ids is null and delivery_id = any (delivery_ids)
            union all
            select e.*
            from unnest(delivery_ids, event_ids, device_times) as p (delivery_id, event_id, device_time)
            join afterpush.merged_events as e
                on (e.delivery_id, e.event_id, e.device_time) = (p.delivery_id, p.event_id, p.device_time)
        ) as e
        where event_hour >= sealed
        group by app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind
    ) as counted
$$;
comment on function afterpush.event_counts_of is 'The numbers of merged events of some deliveries, with a sign.';
