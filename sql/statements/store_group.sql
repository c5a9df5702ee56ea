-- Stores a group of validated events, and the rejected events of the same requests, with one batch per app.
-- $1 to $34: the events, a column each, sorted by delivery_id, event_id, device_time; no two have the same identity.
-- $35 to $41: the rejected events, a column each: app_id, received_at, code, detail, event_id, event, checked_until.
-- $42 to $44: copies within the group, per app: app_id, number of duplicates, number of conflicts among them.
-- $45: the position in the suppression list up to which the events were compared with it.
-- Returns one row: the positions (from 1) of the events that were stored before, null if there are none; and the number
-- of conflicts, those of $44 included, null if there are no duplicates. A verified copy of a stored unverified event is
-- a duplicate, too; it is kept in event_upgrades, and replaces the event when its batch is merged.
--
-- It takes its locks in one order: the ingest barrier, the events sorted by identity, then all other rows. So two
-- groups with the same events wait for each other without a deadlock.
with input as materialized (
    select *
    from unnest(
        $1::integer[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::boolean[],
        $8::integer[], $9::integer[], $10::integer[], $11::bigint[], $12::timestamptz[], $13::text[], $14::text[],
        $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[],
        $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::text[],
        $31::text[], $32::text[], $33::text[], $34::text[]
    ) with ordinality as i (
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, names_past_limit, device_id,
        notification_id, action_identifier, campaign_id, variant, category_id, platform, app_version, os_version,
        locale, surface, trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties, user_text,
        place
    )
),
rejections as materialized (
    select *
    from unnest(
        $35::integer[], $36::timestamptz[], $37::text[], $38::text[], $39::text[], $40::text[], $41::bigint[]
    ) as r (app_id, received_at, code, detail, event_id, event, checked_until)
),
group_duplicates as materialized (
    select *
    from unnest($42::integer[], $43::integer[], $44::integer[]) as r (app_id, duplicates, conflicts)
),
new_batches as materialized (
    select app_id, nextval('afterpush.batch_ids') as batch_id
    from (
        select app_id from input
        union
        select app_id from rejections
        union
        select app_id from group_duplicates
    ) as apps
    -- Before any row is written: a transaction that waits for the barrier must not come between the rows of this
    -- one and trigger enforce_suppression, which locks it too.
    where (select afterpush.hold_ingest_barrier($45::bigint))
),
stored as (
    insert into afterpush.events (
        batch_id,
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, names_past_limit, device_id,
        notification_id, action_identifier, campaign_id, variant, category_id, platform, app_version, os_version,
        locale, surface, trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties
    )
    select
        b.batch_id,
        i.app_id, i.delivery_id, i.event_id, i.device_time, i.occurred_at, i.kind::afterpush.event_kind, i.verified,
        i.category_version, i.utc_offset_minutes, i.text_length, i.skew_milliseconds, i.receipt_issued_at,
        string_to_array(i.names_past_limit, ' '), i.device_id, i.notification_id, i.action_identifier, i.campaign_id,
        i.variant, i.category_id, i.platform, i.app_version, i.os_version, i.locale, i.surface, i.trigger,
        i.app_state, i.dismiss_cause, i.handling, i.reason, i.name, i.value::numeric, i.currency, i.properties::jsonb
    from input as i
    join new_batches as b using (app_id)
    -- `on conflict` would wait for a transaction that changes the stored event, as a merge does, until it ends.
    where (
        select true
        from afterpush.events as e
        where (e.delivery_id, e.event_id, e.device_time) = (i.delivery_id, i.event_id, i.device_time)
    ) is null
    order by i.delivery_id, i.event_id, i.device_time
    on conflict (delivery_id, event_id, device_time) do nothing
    returning app_id, delivery_id, event_id, device_time
),
duplicates as materialized (
    select i.*
    from input as i
    left join stored as s using (delivery_id, event_id, device_time)
    where s.delivery_id is null
      and (select count(*) from stored) < (select count(*) from input)
),
compared as materialized (
    select d.app_id, c.upgrades, c.conflicts
    from (
        select
            app_id,
            array_agg(place) as places, array_agg(delivery_id) as delivery_ids, array_agg(event_id) as event_ids,
            array_agg(device_time) as device_times, array_agg(verified) as verified,
            array_agg(afterpush.event_content(
                kind, text_length, platform, os_version, locale, surface, trigger, app_state, dismiss_cause,
                handling, utc_offset_minutes, reason, name, value::numeric, currency, properties::jsonb
            )) as contents,
            array_agg(afterpush.event_names(
                action_identifier, campaign_id, variant, category_id, category_version, app_version,
                string_to_array(names_past_limit, ' ')
            )) as names,
            array_agg(user_text) as user_texts
        from duplicates
        group by app_id
    ) as d
    cross join lateral afterpush.compare_duplicates(
        d.places, d.delivery_ids, d.event_ids, d.device_times, d.verified, d.contents, d.names,
        d.user_texts
    ) as c
),
upgrades as materialized (
    select d.*
    from duplicates as d
    join compared as c on c.app_id = d.app_id and d.place = any (c.upgrades)
),
stored_upgrades as (
    insert into afterpush.event_upgrades (
        batch_id,
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, names_past_limit, device_id,
        notification_id, action_identifier, campaign_id, variant, category_id, platform, app_version, os_version,
        locale, surface, trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties
    )
    select
        b.batch_id,
        u.app_id, u.delivery_id, u.event_id, u.device_time, u.occurred_at, u.kind::afterpush.event_kind, u.verified,
        u.category_version, u.utc_offset_minutes, u.text_length, u.skew_milliseconds, u.receipt_issued_at,
        string_to_array(u.names_past_limit, ' '), u.device_id, u.notification_id, u.action_identifier, u.campaign_id, u.variant, u.category_id, u.platform,
        u.app_version, u.os_version, u.locale, u.surface, u.trigger, u.app_state, u.dismiss_cause, u.handling,
        u.reason, u.name, u.value::numeric, u.currency, u.properties::jsonb
    from upgrades as u
    join new_batches as b using (app_id)
    -- A merge may be about to delete it.
    where (
        select true
        from afterpush.event_upgrades as e
        where (e.delivery_id, e.event_id, e.device_time) = (u.delivery_id, u.event_id, u.device_time)
    ) is null
    order by u.delivery_id, u.event_id, u.device_time
    on conflict (delivery_id, event_id, device_time) do nothing
),
-- The text of a new event, or of one that replaces the stored event, is stored where reply_places says.
new_texts as materialized (
    select
        i.app_id, i.delivery_id, i.event_id, i.device_time, i.verified, i.user_text, p.place, p.verified_category_id
    from (
        select
            array_agg(i.place) as places, array_agg(i.app_id) as app_ids, array_agg(i.delivery_id) as delivery_ids,
            array_agg(i.category_id) as category_ids, array_agg(i.verified) as verified
        from input as i
        join (
            select delivery_id, event_id, device_time from stored
            union all
            select delivery_id, event_id, device_time from upgrades
        ) as s using (delivery_id, event_id, device_time)
        where i.user_text is not null
        having count(*) > 0
    ) as t
    cross join lateral afterpush.reply_places(t.app_ids, t.delivery_ids, t.category_ids, t.verified) as p
    join input as i on i.place = t.places[p.number]
    where exists (select from input where user_text is not null)
),
stored_replies as (
    insert into afterpush.replies
        (app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, stored_at)
    select
        app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, clock_timestamp()
    from new_texts
    where place = 'replies'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing
),
waiting_replies as (
    insert into afterpush.waiting_replies
        (app_id, delivery_id, event_id, device_time, verified, user_text, stored_at, waits_until)
    select
        app_id, delivery_id, event_id, device_time, verified, user_text, clock_timestamp(),
        clock_timestamp() + afterpush.text_wait()
    from new_texts
    where place = 'waiting_replies'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing
),
stored_rejections as (
    insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event, checked_until)
    select app_id, received_at, code, detail, event_id, event, checked_until
    from rejections
    order by app_id, md5(code || event)
    on conflict (app_id, fingerprint) do nothing
),
counted as (
    select
        b.batch_id,
        b.app_id,
        (select count(*) from stored where stored.app_id = b.app_id) as events,
        (select count(*) from duplicates where duplicates.app_id = b.app_id) as duplicates,
        (select count(*) from rejections where rejections.app_id = b.app_id) as rejected,
        (select count(*) from upgrades where upgrades.app_id = b.app_id) as upgrades,
        (select conflicts from compared where compared.app_id = b.app_id) as conflicts
    from new_batches as b
),
recorded as (
    insert into afterpush.batches
        (batch_id, app_id, started_at, events, duplicates, conflicts, rejected, upgrades, rolled_up_at)
    select
        c.batch_id, c.app_id, clock_timestamp(), c.events, c.duplicates + coalesce(r.duplicates, 0),
        coalesce(c.conflicts, 0) + coalesce(r.conflicts, 0), c.rejected, c.upgrades,
        case when c.events = 0 and c.upgrades = 0 then clock_timestamp() end
    from counted as c
    left join group_duplicates as r using (app_id)
    order by c.batch_id
)
select array_agg(place::integer), (
    select sum(conflicts)::bigint
    from (select conflicts from counted union all select conflicts from group_duplicates) as c
)
from duplicates
