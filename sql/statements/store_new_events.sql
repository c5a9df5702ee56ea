-- Stores a group of validated events of which none is expected to be stored already, and the rejected events of the
-- same requests, with one batch per app, or one per app and slice of its devices. Fails with SQLSTATE 23505 if one is
-- stored, or with 55P03 if another transaction is changing it, as a merge does; the caller then runs store_group, which
-- costs twice as much, because it looks up, compares and returns.
-- $1 to $33: the events, a column each, sorted by delivery_id, event_id, device_time; no two have the same identity.
-- $34 to $40: the reply texts, a column each: app_id, delivery_id, event_id, device_time, category_id, verified,
-- user_text.
-- $41 to $47: the rejected events, a column each: app_id, received_at, code, detail, event_id, event, checked_until.
-- $48 to $53: the batches, a column each: app_id, slice of the devices (null for all), and the numbers of events, of
-- rejected events, of duplicates within the group, and of conflicts among those.
-- $54: the position in the suppression list up to which the events were compared with it.
-- Returns no rows.
with new_batches as materialized (
    select app_id, slice, events, rejected, duplicates, conflicts, nextval('afterpush.batch_ids') as batch_id
    from unnest(
        $48::integer[], $49::integer[], $50::integer[], $51::integer[], $52::integer[], $53::integer[]
    ) as p (app_id, slice, events, rejected, duplicates, conflicts)
    -- Before any row is written: a transaction that waits for the barrier must not come between the rows of this
    -- one and trigger enforce_suppression, which locks it too.
    where (select afterpush.hold_ingest_barrier($54::bigint, '50ms'))
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
        p.batch_id,
        i.app_id, i.delivery_id, i.event_id, i.device_time, i.occurred_at, i.kind::afterpush.event_kind, i.verified,
        i.category_version, i.utc_offset_minutes, i.text_length, i.skew_milliseconds, i.receipt_issued_at,
        string_to_array(i.names_past_limit, ' '), i.device_id, i.notification_id, i.action_identifier, i.campaign_id,
        i.variant, i.category_id, i.platform, i.app_version, i.os_version, i.locale, i.surface, i.trigger,
        i.app_state, i.dismiss_cause, i.handling, i.reason, i.name, i.value::numeric, i.currency, i.properties::jsonb
    from unnest(
        $1::integer[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::boolean[],
        $8::integer[], $9::integer[], $10::integer[], $11::bigint[], $12::timestamptz[], $13::text[], $14::text[],
        $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[],
        $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::text[],
        $31::text[], $32::text[], $33::text[]
    ) as i (
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, names_past_limit, device_id,
        notification_id, action_identifier, campaign_id, variant, category_id, platform, app_version, os_version,
        locale, surface, trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties
    )
    join new_batches as p
        on p.app_id = i.app_id
        and (p.slice is null or p.slice = afterpush.device_slice(i.delivery_id))
    order by i.delivery_id, i.event_id, i.device_time
    returning 1
),
-- A text is stored where reply_places says. As in store_group, these rows are written after the events
-- (`count(*) from stored`), or two transactions with the same event could deadlock.
new_texts as materialized (
    select t.*, p.place, p.verified_category_id
    from unnest(
        $34::integer[], $35::uuid[], $36::uuid[], $37::timestamptz[], $38::text[], $39::boolean[], $40::text[]
    ) with ordinality as t (app_id, delivery_id, event_id, device_time, category_id, verified, user_text, number)
    join afterpush.reply_places($34::integer[], $35::uuid[], $38::text[], $39::boolean[]) as p using (number)
    where cardinality($34::integer[]) > 0
      and (select count(*) from stored) >= 0
),
stored_replies as (
    insert into afterpush.replies
        (app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, stored_at)
    select
        app_id, delivery_id, event_id, device_time, verified, verified_category_id, user_text, clock_timestamp()
    from new_texts
    where place = 'replies'
    order by delivery_id, event_id, device_time
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
),
stored_rejections as (
    insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event, checked_until)
    select app_id, received_at, code, detail, event_id, event, checked_until
    from unnest(
        $41::integer[], $42::timestamptz[], $43::text[], $44::text[], $45::text[], $46::text[], $47::bigint[]
    ) as r (app_id, received_at, code, detail, event_id, event, checked_until)
    where (select count(*) from stored) >= 0
    order by app_id, md5(code || event)
    on conflict (app_id, fingerprint) do nothing
)
insert into afterpush.batches (
    batch_id, app_id, device_slice, started_at, events, duplicates, conflicts, rejected, rolled_up_at
)
select
    batch_id, app_id, slice, clock_timestamp(), events, duplicates, conflicts, rejected,
    case when events = 0 then clock_timestamp() end
from new_batches
order by batch_id
