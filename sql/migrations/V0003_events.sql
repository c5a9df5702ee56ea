-- Layer 1: the log of events, each once, and what was refused.

create type afterpush.event_kind as enum (
    'sent', 'failed', 'delivered', 'displayed', 'read', 'opened', 'action', 'text_input', 'dismissed', 'converted',
    'replaced', 'media_played', 'media_paused', 'attachment_failed', 'extension_expired',
    'token_registered', 'token_failed', 'permission_granted', 'permission_revoked', 'app_opened'
);
comment on type afterpush.event_kind is 'What happened. From token_registered on, a kind is about the device alone.';

create sequence afterpush.batch_ids;
comment on sequence afterpush.batch_ids is 'Numbers of batches.';

create table afterpush.batches (
    batch_id bigint primary key,
    app_id integer not null references afterpush.apps,
    started_at timestamptz not null,
    events integer not null,
    duplicates integer not null,
    conflicts integer not null,
    rejected integer not null,
    rolled_up_at timestamptz
) with (fillfactor = 90);
create index batches_waiting on afterpush.batches (batch_id) where rolled_up_at is null;
comment on table afterpush.batches is 'One row per app and ingest transaction: what it stored, and whether reports count it yet.';
comment on column afterpush.batches.batch_id is 'Carried by the events of the batch.';
comment on column afterpush.batches.app_id is 'The app whose events these are.';
comment on column afterpush.batches.started_at is 'The database''s clock before the transaction committed.';
comment on column afterpush.batches.events is 'Events stored.';
comment on column afterpush.batches.duplicates is 'Events that were stored before.';
comment on column afterpush.batches.conflicts is 'Of the duplicates, those whose content differed from the stored one.';
comment on column afterpush.batches.rejected is 'Events refused and kept in rejected_events.';
comment on column afterpush.batches.rolled_up_at is 'When the batch was merged into deliveries and rollups; null until then.';

create table afterpush.events (
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    occurred_at timestamptz not null,
    batch_id bigint not null,
    app_id integer not null,
    kind afterpush.event_kind not null,
    verified boolean not null,
    category_version integer,
    utc_offset_minutes integer,
    text_length integer,
    skew_milliseconds bigint,
    receipt_issued_at timestamptz,
    device_id text collate "C" not null,
    notification_id text collate "C",
    action_identifier text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    os_version text collate "C",
    locale text collate "C",
    surface text collate "C",
    trigger text collate "C",
    app_state text collate "C",
    dismiss_cause text collate "C",
    handling text collate "C",
    reason text collate "C",
    name text collate "C",
    value numeric,
    currency text collate "C",
    properties jsonb,
    primary key (delivery_id, event_id, device_time),
    constraint action_is_named check (kind not in ('action', 'text_input') or action_identifier is not null),
    constraint version_is_positive check (category_version > 0)
) partition by range (device_time);
create index on afterpush.events (batch_id);
comment on table afterpush.events is 'The log: each stored event once, never changed. Partitioned by month of device_time.';
comment on column afterpush.events.delivery_id is 'Derived from app, notification and device; from app and device for kinds about the device alone.';
comment on column afterpush.events.event_id is 'The sender''s idempotency key.';
comment on column afterpush.events.device_time is 'occurred_at as the device sent it.';
comment on column afterpush.events.occurred_at is 'device_time corrected by the skew of the device''s clock, if that was stated and 60 s or more.';
comment on column afterpush.events.batch_id is 'The batch that stored it.';
comment on column afterpush.events.app_id is 'The app of the key it was posted with.';
comment on column afterpush.events.kind is 'What happened.';
comment on column afterpush.events.verified is 'Shown to be about a notification that was sent: posted with a send key, or with a receipt bound to the device.';
comment on column afterpush.events.category_version is 'Version of the category, if stated.';
comment on column afterpush.events.utc_offset_minutes is 'The device''s offset from UTC, in minutes.';
comment on column afterpush.events.text_length is 'UTF-8 bytes of the typed text; the text itself is in replies alone.';
comment on column afterpush.events.skew_milliseconds is 'Collector''s clock minus sent_at, in milliseconds; null when the request stated no sent_at.';
comment on column afterpush.events.receipt_issued_at is 'When the receipt that came with it was issued.';
comment on column afterpush.events.device_id is 'The device.';
comment on column afterpush.events.notification_id is 'The notification; null for kinds about the device alone.';
comment on column afterpush.events.action_identifier is 'As the platform gave it.';
comment on column afterpush.events.campaign_id is 'Campaign, if stated.';
comment on column afterpush.events.variant is 'Variant of the campaign, if stated.';
comment on column afterpush.events.category_id is 'Category, if stated.';
comment on column afterpush.events.platform is 'ios, macos, watchos, visionos, android or web.';
comment on column afterpush.events.app_version is 'Version of the app.';
comment on column afterpush.events.os_version is 'Version of the operating system.';
comment on column afterpush.events.locale is 'Locale of the device.';
comment on column afterpush.events.surface is 'Where it happened: banner, list, watch and the like.';
comment on column afterpush.events.trigger is 'push, time_interval, calendar or location.';
comment on column afterpush.events.app_state is 'State of the app when it happened.';
comment on column afterpush.events.dismiss_cause is 'Why it was dismissed, where the platform tells.';
comment on column afterpush.events.handling is 'Who handled the response: app, extension or forwarded.';
comment on column afterpush.events.reason is 'Reason of a failure.';
comment on column afterpush.events.name is 'Name of a conversion.';
comment on column afterpush.events.value is 'Value of a conversion, in currency.';
comment on column afterpush.events.currency is 'ISO 4217 code of value.';
comment on column afterpush.events.properties is 'Everything else that was sent.';

create table afterpush.events_default (like afterpush.events including defaults including constraints including comments);
alter table afterpush.events attach partition afterpush.events_default default;
comment on table afterpush.events_default is 'Events whose device_time no month''s partition takes.';

create table afterpush.replies (
    app_id integer not null,
    delivery_id uuid not null,
    event_id uuid not null,
    device_time timestamptz not null,
    user_text text not null,
    stored_at timestamptz not null,
    primary key (delivery_id, event_id, device_time)
);
comment on table afterpush.replies is 'What people typed: kept apart from events, with a retention of its own.';
comment on column afterpush.replies.app_id is 'The app.';
comment on column afterpush.replies.delivery_id is 'The delivery that was answered.';
comment on column afterpush.replies.event_id is 'The event that carried the text.';
comment on column afterpush.replies.device_time is 'As in events.';
comment on column afterpush.replies.user_text is 'The text.';
comment on column afterpush.replies.stored_at is 'When it was stored; retention counts from here.';

create table afterpush.rejected_events (
    rejection_id bigint generated always as identity primary key,
    app_id integer not null,
    received_at timestamptz not null,
    code text not null,
    detail text not null,
    event_id text,
    event text,
    fingerprint uuid generated always as (md5(code || event)::uuid) stored,
    unique (app_id, fingerprint)
);
create index on afterpush.rejected_events (app_id, received_at);
comment on table afterpush.rejected_events is 'Events that were refused, as they came, with the reason.';
comment on column afterpush.rejected_events.rejection_id is 'Order of arrival.';
comment on column afterpush.rejected_events.app_id is 'The app of the key it was posted with.';
comment on column afterpush.rejected_events.received_at is 'When the request arrived.';
comment on column afterpush.rejected_events.code is 'The stable code that the sender was answered.';
comment on column afterpush.rejected_events.detail is 'What was wrong, naming the field.';
comment on column afterpush.rejected_events.event_id is 'event_id as sent, if it was readable.';
comment on column afterpush.rejected_events.event is 'The event as it came, user_text replaced by its length, bytes that are not UTF-8 by U+FFFD.';

create table afterpush.suppressed_devices (
    app_id integer not null references afterpush.apps,
    device_hash bytea not null,
    suppressed_at timestamptz not null default now(),
    primary key (app_id, device_hash)
);
comment on table afterpush.suppressed_devices is 'Erased devices, whose events are refused from then on.';
comment on column afterpush.suppressed_devices.app_id is 'The app.';
comment on column afterpush.suppressed_devices.device_hash is 'Keyed hash of the device id.';
comment on column afterpush.suppressed_devices.suppressed_at is 'When the device was erased.';
comment on column afterpush.rejected_events.fingerprint is 'Of code and event: the same event refused again, by a retry, is kept once.';

-- Makes the monthly partitions of events from `months_back` before `at` to `months_ahead` after it. Events of such
-- a month that wait in the default partition move over. Returns the number of partitions made.
create function afterpush.ensure_partitions(at timestamptz, months_back integer, months_ahead integer)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    month timestamptz;
    next_month timestamptz;
    part text;
    made integer := 0;
begin
    for i in -months_back..months_ahead loop
        month := (date_trunc('month', at at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
        next_month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        part := 'events_' || to_char(month at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass('afterpush.' || part) is not null;
        execute format('create table afterpush.%I (like afterpush.events including defaults including constraints including comments)',
            part
        );
        if exists (
            select from afterpush.events_default where device_time >= month and device_time < next_month
        ) then
            execute format(
                'with moved as (delete from afterpush.events_default where device_time >= %L and device_time < %L
                 returning *) insert into afterpush.%I select * from moved',
                month, next_month, part
            );
        end if;
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            part, month, next_month
        );
        execute format('comment on table afterpush.%I is %L', part,
                       'Events of one month of device_time, ' || to_char(month at time zone 'UTC', 'YYYY-MM') || ' UTC.');
        made := made + 1;
    end loop;
    return made;
end
$$;
comment on function afterpush.ensure_partitions is 'Makes the monthly partitions of events around a time; returns how many it made.';

-- Which of some events are stored with other content. They run as the owner, since ingest can read no more than keys.
create function afterpush.conflicting_events(
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

-- The distinct actions that some deliveries were answered with so far.
create function afterpush.actions_stored(delivery_ids uuid[])
returns table (delivery_id uuid, action_identifiers text[])
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.delivery_id, array_agg(distinct e.action_identifier)
    from afterpush.events as e
    where e.delivery_id = any (delivery_ids)
      and e.kind in ('action', 'text_input')
    group by e.delivery_id
$$;
comment on function afterpush.actions_stored is 'The distinct actions that some deliveries were answered with so far.';
