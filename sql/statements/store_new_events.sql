-- Stores a group of believed events of which none is expected to be stored already, and the refusals that came with
-- them, in one transaction, with one batch per app. Fails with 23505 when one is: `store_group` then tells which.
-- It costs half of what store_group does, since nothing is looked up, compared or returned.
-- $1 to $32: the events, a column each, sorted by delivery_id, event_id, device_time; no identity stands twice.
-- $33 to $38: the texts among them: app_id, delivery_id, event_id, device_time, category_id, user_text.
-- $39 to $44: the refusals: app_id, received_at, code, detail, event_id, event.
-- $45 to $49: the apps: app_id, number of events, of refusals, of duplicates within the group, of conflicts among these.
-- Returns no rows.
with posting as materialized (
    select app_id, events, rejected, duplicates, conflicts, nextval('afterpush.batch_ids') as batch_id
    from unnest($45::integer[], $46::integer[], $47::integer[], $48::integer[], $49::integer[])
        as p (app_id, events, rejected, duplicates, conflicts)
    -- What enforce_suppression takes for each batch, before any row is written: whoever waits for it alone must not come between.
    where (select afterpush.hold_ingest_barrier())
),
stored as (
    insert into afterpush.events (
        batch_id,
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, device_id, notification_id,
        action_identifier, campaign_id, variant, category_id, platform, app_version, os_version, locale, surface,
        trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties
    )
    select
        p.batch_id,
        i.app_id, i.delivery_id, i.event_id, i.device_time, i.occurred_at, i.kind::afterpush.event_kind, i.verified,
        i.category_version, i.utc_offset_minutes, i.text_length, i.skew_milliseconds, i.receipt_issued_at,
        i.device_id, i.notification_id, i.action_identifier, i.campaign_id, i.variant, i.category_id, i.platform,
        i.app_version, i.os_version, i.locale, i.surface, i.trigger, i.app_state, i.dismiss_cause, i.handling,
        i.reason, i.name, i.value::numeric, i.currency, i.properties::jsonb
    from unnest(
        $1::integer[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::boolean[],
        $8::integer[], $9::integer[], $10::integer[], $11::bigint[], $12::timestamptz[], $13::text[], $14::text[],
        $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[],
        $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::text[],
        $31::text[], $32::text[]
    ) as i (
        app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, category_version,
        utc_offset_minutes, text_length, skew_milliseconds, receipt_issued_at, device_id, notification_id,
        action_identifier, campaign_id, variant, category_id, platform, app_version, os_version, locale, surface,
        trigger, app_state, dismiss_cause, handling, reason, name, value, currency, properties
    )
    join posting as p using (app_id)
    order by i.delivery_id, i.event_id, i.device_time
    returning 1
),
-- Text is kept whose category, else app, keeps text at all. What is written beside the events comes after them, as in
-- store_group: else two transactions with the same event could each wait for the other.
kept_texts as (
    insert into afterpush.replies (app_id, delivery_id, event_id, device_time, user_text, stored_at)
    select t.app_id, t.delivery_id, t.event_id, t.device_time, t.user_text, clock_timestamp()
    from unnest(
        $33::integer[], $34::uuid[], $35::uuid[], $36::timestamptz[], $37::text[], $38::text[]
    ) as t (app_id, delivery_id, event_id, device_time, category_id, user_text)
    where coalesce(
        (
            select c.text_retention
            from afterpush.categories as c
            where c.app_id = t.app_id
              and c.category_id = t.category_id
            order by c.version desc
            limit 1
        ),
        (select a.text_retention from afterpush.apps as a where a.app_id = t.app_id)
    ) > interval '0'
      and (select count(*) from stored) >= 0
    order by t.delivery_id, t.event_id, t.device_time
),
kept_refusals as (
    insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event)
    select app_id, received_at, code, detail, event_id, event
    from unnest(
        $39::integer[], $40::timestamptz[], $41::text[], $42::text[], $43::text[], $44::text[]
    ) as r (app_id, received_at, code, detail, event_id, event)
    where (select count(*) from stored) >= 0
    order by app_id, md5(code || event)
    on conflict (app_id, fingerprint) do nothing
)
insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected, rolled_up_at)
select
    batch_id, app_id, clock_timestamp(), events, duplicates, conflicts, rejected,
    case when events = 0 then clock_timestamp() end
from posting
order by batch_id
