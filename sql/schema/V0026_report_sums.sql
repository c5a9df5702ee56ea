-- What the reports `health` and `undeclared` count, as sums that merges keep, so that they don't read all events of the
-- selected time.

-- When the last event of a delivery was stored, by which the report says since when a day's numbers have not changed.
alter table afterpush.deliveries add column last_stored_hour timestamptz;
comment on column afterpush.deliveries.last_stored_hour is 'Hour in which the last of its merged events was stored.';
update afterpush.deliveries as d
set last_stored_hour = coalesce(
    (
        select date_bin('1 hour', max(b.started_at), '0001-01-01 00:00:00+00 BC')
        from afterpush.events as e
        join afterpush.batches as b using (batch_id)
        where e.delivery_id = d.delivery_id
          and b.rolled_up_at is not null
    ),
    date_bin('1 hour', d.first_event_at, '0001-01-01 00:00:00+00 BC')
);
alter table afterpush.deliveries alter column last_stored_hour set not null;

create type afterpush.event_measure as enum ('traits', 'skew', 'delay');
comment on type afterpush.event_measure is 'What rollup_event_checks counts events by.';

create table afterpush.rollup_event_checks (
    app_id integer not null,
    event_hour timestamptz not null,
    measure afterpush.event_measure not null,
    value bigint not null,
    events integer not null,
    primary key (app_id, event_hour, measure, value)
) with (fillfactor = 80);
comment on table afterpush.rollup_event_checks is
    'Events by hour and by what the report health says of them: their traits, how far the device''s clock was off, and how long they took to be stored.';
comment on column afterpush.rollup_event_checks.app_id is 'The app.';
comment on column afterpush.rollup_event_checks.event_hour is 'Hour in which the events occurred.';
comment on column afterpush.rollup_event_checks.measure is
    'traits: which of them they have (function event_traits). skew: correction of the device''s clock, of events whose request stated sent_at. delay: time from the event to its storage.';
comment on column afterpush.rollup_event_checks.value is
    'Of traits, bits; of the others, seconds, counted in larger steps the longer they are (function counted_seconds).';
comment on column afterpush.rollup_event_checks.events is 'Number of events.';
alter table afterpush.rollup_event_checks enable row level security;
create policy report on afterpush.rollup_event_checks for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_event_checks to afterpush_worker using (true) with check (true);

create table afterpush.rollup_names (
    app_id integer not null,
    event_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    action_id text collate "C" not null,
    events integer not null,
    primary key (app_id, event_hour, campaign_id, variant, category_id, category_version, action_id)
) with (fillfactor = 80);
comment on table afterpush.rollup_names is
    'Events by hour and by the names that they state themselves, whatever holds for their delivery.';
comment on column afterpush.rollup_names.app_id is 'The app.';
comment on column afterpush.rollup_names.event_hour is 'Hour in which the events occurred.';
comment on column afterpush.rollup_names.campaign_id is 'Campaign; empty if it is not stated.';
comment on column afterpush.rollup_names.variant is 'Variant; empty if it is not stated.';
comment on column afterpush.rollup_names.category_id is 'Category; empty if it is not stated.';
comment on column afterpush.rollup_names.category_version is 'Version of the category; 0 if it is not stated.';
comment on column afterpush.rollup_names.action_id is
    'Action of actions and text inputs; empty for other kinds, and if its name was past the limit.';
comment on column afterpush.rollup_names.events is 'Number of events.';
alter table afterpush.rollup_names enable row level security;
create policy report on afterpush.rollup_names for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_names to afterpush_worker using (true) with check (true);

create table afterpush.rollup_stored_hours (
    app_id integer not null,
    anchor_hour timestamptz not null,
    last_stored_hour timestamptz not null,
    deliveries integer not null,
    timed integer not null,
    negative integer not null,
    primary key (app_id, anchor_hour, last_stored_hour)
) with (fillfactor = 80);
comment on table afterpush.rollup_stored_hours is
    'Deliveries by anchor hour and by the hour in which their last event was stored, without those that were held out.';
comment on column afterpush.rollup_stored_hours.app_id is 'The app.';
comment on column afterpush.rollup_stored_hours.anchor_hour is 'Hour of the anchor.';
comment on column afterpush.rollup_stored_hours.last_stored_hour is
    'Hour in which the last of their merged events was stored.';
comment on column afterpush.rollup_stored_hours.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_stored_hours.timed is
    'Those with a response and a confirmation, or else a send, so that they have a response time.';
comment on column afterpush.rollup_stored_hours.negative is 'Those whose response came before.';
alter table afterpush.rollup_stored_hours enable row level security;
create policy report on afterpush.rollup_stored_hours for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_stored_hours to afterpush_worker using (true) with check (true);

-- The reports `influence` and `health` find the events of a part of the devices by kind. The devices are those with a
-- number below 8192: the seven highest bits of 20 are 0. The planner expects few rows to meet an equality, and a third
-- of them to meet a `<`.
drop index afterpush.events_devices_one_in_128;
create index events_devices_one_in_128 on afterpush.events (app_id, kind, occurred_at)
    where (hashtextextended(device_id, 0) & 1040384) = 0;
comment on index afterpush.events_devices_one_in_128 is 'Events of one in 128 devices.';

-- Actions that state no category count under that of their delivery, which may change, so no sum contains them.
create index events_of_uncategorised on afterpush.events (app_id, occurred_at)
    where kind in ('action', 'text_input') and category_id is null;
comment on index afterpush.events_of_uncategorised is 'Actions and text inputs that state no category.';

-- The events that the report `failures` lists are few.
create index events_of_tokens on afterpush.events (app_id, occurred_at)
    where kind in ('token_registered', 'token_failed', 'permission_granted', 'permission_revoked');
comment on index afterpush.events_of_tokens is 'Events about push tokens and permissions.';
create index events_of_failures on afterpush.events (app_id, occurred_at) include (delivery_id)
    where kind in ('failed', 'attachment_failed', 'extension_expired');
comment on index afterpush.events_of_failures is 'Failures, of the send or on the device.';

-- Functions whose arguments or results change are dropped here, and created again with the others.
drop view if exists afterpush.counted_deliveries;
drop function if exists afterpush.merge_batches(bigint[], timestamptz);
drop function if exists afterpush.touched_deliveries(bigint[], timestamptz);
drop function if exists afterpush.delivery_deltas(bigint[], bigint[], uuid, uuid, uuid[]);
drop function if exists afterpush.waiting_batches(integer, integer, integer[]);
drop function if exists afterpush.was_attempted(integer);
drop function if exists afterpush.report_bounds(text, timestamptz, timestamptz);
drop function if exists afterpush.report_token_events(text, timestamptz, timestamptz, bigint);
drop function if exists afterpush.report_event_statistics(text, timestamptz, timestamptz, bigint);
drop function if exists afterpush.report_attribution_problems(text, timestamptz, timestamptz, bigint);
drop function if exists afterpush.sample_of_devices(bigint);
drop function if exists afterpush.report_fatigue(
    text, timestamptz, timestamptz, text, text, text, text, boolean, afterpush.campaign_base[], integer
);
drop function if exists afterpush.report_openings(
    text, timestamptz, timestamptz, interval, boolean, boolean, text, boolean, text
);
drop function if exists afterpush.event_counts(afterpush.event_shape[], bigint[]);
create type afterpush.event_sums as (
    checks afterpush.rollup_event_checks[],
    names afterpush.rollup_names[],
    of_devices afterpush.event_count[]
);
comment on type afterpush.event_sums is
    'What the events of some batches add to rollup_event_checks and rollup_names, and how many are about a device alone.';
alter type afterpush.delivery_delta add attribute last_stored_hour timestamptz;
alter type afterpush.touched_delivery
    add attribute last_stored_hour timestamptz,
    add attribute old_last_stored_hour timestamptz,
    add attribute old_responded_at timestamptz;
alter type afterpush.merge_result add attribute stored_hours afterpush.rollup_stored_hours[];

-- The sums of events that are merged already. The functions that compute them don't exist yet.
insert into afterpush.rollup_event_checks
with counted as (
    select
        e.app_id,
        date_bin('1 hour', e.occurred_at, '0001-01-01 00:00:00+00 BC') as event_hour,
        (e.notification_id is not null)::integer
            + 2 * (e.kind in ('opened', 'action', 'text_input', 'dismissed'))::integer
            + 4 * e.verified::integer
            + 8 * coalesce('action' = any (e.names_past_limit), false)::integer
            + 16 * coalesce('app_version' = any (e.names_past_limit), false)::integer
            + 32 * coalesce('campaign' = any (e.names_past_limit), false)::integer
            + 64 * coalesce('category' = any (e.names_past_limit), false)::integer
            + 128 * coalesce('category_version' = any (e.names_past_limit), false)::integer
            + 256 * coalesce('variant' = any (e.names_past_limit), false)::integer as traits,
        e.skew_milliseconds / 1000 as skew,
        floor(date_part('epoch', b.started_at - e.occurred_at))::bigint as delay
    from afterpush.events as e
    join afterpush.batches as b using (batch_id)
    where b.rolled_up_at is not null
)
select
    app_id, event_hour, measure,
    case
        when measure = 'traits' or seconds between -120 and 119 then seconds
        when seconds between -3600 and 3599 then floor(seconds / 10.0) * 10
        when seconds between -86400 and 86399 then floor(seconds / 600.0) * 600
        else floor(seconds / 3600.0) * 3600
    end,
    count(*)
from counted
cross join lateral (
    values
        ('traits'::afterpush.event_measure, traits::bigint),
        ('skew'::afterpush.event_measure, skew::bigint),
        ('delay'::afterpush.event_measure, delay)
) as m (measure, seconds)
where seconds is not null
group by 1, 2, 3, 4;
insert into afterpush.rollup_names
select
    e.app_id,
    date_bin('1 hour', e.occurred_at, '0001-01-01 00:00:00+00 BC'),
    coalesce(e.campaign_id, ''),
    coalesce(e.variant, ''),
    coalesce(e.category_id, ''),
    coalesce(e.category_version, 0),
    coalesce(case when e.kind in ('action', 'text_input') then nullif(e.action_identifier, '(other)') end, ''),
    count(*)
from afterpush.events as e
join afterpush.batches as b using (batch_id)
where b.rolled_up_at is not null
group by 1, 2, 3, 4, 5, 6, 7;
insert into afterpush.rollup_stored_hours
select
    app_id,
    date_bin(
        '1 hour', coalesce(verified_sent_at, receipt_issued_at, first_event_at),
        '0001-01-01 00:00:00+00 BC'
    ),
    last_stored_hour,
    count(*),
    count(*) filter (where responded_at is not null and coalesce(confirmed_at, sent_at) is not null),
    count(*) filter (where responded_at < coalesce(confirmed_at, sent_at))
from afterpush.deliveries
where kinds & 32768 = 0
group by 1, 2, 3;
