-- The third layer of tables, the rollups: sums over deliveries and events, by dimension and by hour or day. Reports
-- read these.
--
-- The function roll_up merges committed batches into deliveries and rollups, in one transaction. It finds the batches
-- by their missing mark (batches.rolled_up_at) and not by a position or a time that could be ahead of a late commit.

-- The lock on the only row lets one worker write at a time. A row is used because any role may take advisory locks, and
-- a connection pooler breaks those of a session.
create table afterpush.rollup_worker (
    singleton boolean primary key default true check (singleton),
    sealed_before timestamptz not null default '-infinity'
);
comment on table afterpush.rollup_worker is
    'One row; the transaction that holds its lock may write deliveries and rollups.';
comment on column afterpush.rollup_worker.singleton is 'Always true.';
comment on column afterpush.rollup_worker.sealed_before is
    'Anchor hours before this are sealed: their events may be gone, and their rollups no longer change.';

insert into afterpush.rollup_worker default values;

-- Deliveries by dimension and anchor hour, maintained by signed deltas: for each delivery that changes, its old state
-- is subtracted and its new one added. The view rollup_deliveries says what is counted by all events, and what by
-- verified ones.
--
-- A delivery is counted by all its events, and once more by the verified ones if it has any, with the dimensions that
-- these state. Most deliveries are the same either way: they are counted in one row for both (function count_modes).
--
-- The sums depend on events only, and converted_events also on the campaign's conversion window (campaigns.counted_window).
-- Everything else that was declared (category versions, goals, response windows) is joined when a report runs, so it
-- never changes a rollup. `actions` is the set of actions taken on the deliveries of the row, so that goals can be
-- applied to it later. In a key, an unknown dimension is empty, and an unstated category version is 0.
create table afterpush.rollup_delivery_counts (
    app_id integer not null,
    modes smallint not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    is_sent boolean not null,
    is_confirmed boolean not null,
    actions text[] collate "C" not null,
    deliveries integer not null,
    failed integer not null,
    delivered integer not null,
    displayed integer not null,
    opened integer not null,
    replied integer not null,
    dismissed integer not null,
    read integer not null,
    responded integer not null,
    converted_events integer not null,
    replaced integer not null,
    refused integer not null,
    locally_sent integer not null,
    only_locally_sent integer not null
) with (fillfactor = 80);
create unique index rollup_delivery_counts_key on afterpush.rollup_delivery_counts (
    app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    afterpush.actions_key(actions)
);
comment on table afterpush.rollup_delivery_counts is 'Deliveries in each state, by dimension and anchor hour.';
comment on column afterpush.rollup_delivery_counts.app_id is 'The app.';
comment on column afterpush.rollup_delivery_counts.modes is
    'Counted by 1 all events, 2 verified events, 3 either (function count_modes).';
comment on column afterpush.rollup_delivery_counts.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_delivery_counts.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_delivery_counts.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_delivery_counts.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_delivery_counts.category_version is
    'Stated version of the category; 0 when unstated.';
comment on column afterpush.rollup_delivery_counts.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_delivery_counts.is_sent is 'Whether the deliveries are in state sent.';
comment on column afterpush.rollup_delivery_counts.is_confirmed is 'Whether the deliveries are in state confirmed.';
comment on column afterpush.rollup_delivery_counts.actions is
    'The set of actions taken on the deliveries, in byte order; empty when none.';
comment on column afterpush.rollup_delivery_counts.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_delivery_counts.failed is 'Number of deliveries in state failed.';
comment on column afterpush.rollup_delivery_counts.delivered is 'Number of deliveries in state delivered.';
comment on column afterpush.rollup_delivery_counts.displayed is 'Number of deliveries in state displayed.';
comment on column afterpush.rollup_delivery_counts.opened is 'Number of deliveries in state opened.';
comment on column afterpush.rollup_delivery_counts.replied is 'Number of deliveries in state replied.';
comment on column afterpush.rollup_delivery_counts.dismissed is 'Number of deliveries in state dismissed.';
comment on column afterpush.rollup_delivery_counts.read is 'Number of deliveries in state read.';
comment on column afterpush.rollup_delivery_counts.responded is 'Number of deliveries in state responded.';
comment on column afterpush.rollup_delivery_counts.converted_events is
    'Number of deliveries with a converted event within the conversion window.';
comment on column afterpush.rollup_delivery_counts.replaced is 'Number of deliveries in state replaced.';
comment on column afterpush.rollup_delivery_counts.refused is
    'Number of deliveries in state failed and not in state replaced.';
comment on column afterpush.rollup_delivery_counts.locally_sent is
    'Number of deliveries in state sent of which only unverified events say so: local triggers.';
comment on column afterpush.rollup_delivery_counts.only_locally_sent is
    'Number of deliveries of which nothing is known but sent events of local triggers.';
alter table afterpush.rollup_delivery_counts enable row level security;
create policy report on afterpush.rollup_delivery_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_delivery_counts to afterpush_worker using (true) with check (true);

create table afterpush.rollup_app_version_counts (
    like afterpush.rollup_delivery_counts including comments,
    app_version text collate "C" not null
) with (fillfactor = 80);
create unique index rollup_app_version_counts_key on afterpush.rollup_app_version_counts (
    app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, afterpush.actions_key(actions)
);
comment on table afterpush.rollup_app_version_counts is
    'Deliveries in each state, by dimension, app version and anchor hour.';
comment on column afterpush.rollup_app_version_counts.app_id is 'The app.';
comment on column afterpush.rollup_app_version_counts.modes is
    'Counted by 1 all events, 2 verified events, 3 either (function count_modes).';
comment on column afterpush.rollup_app_version_counts.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_app_version_counts.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_app_version_counts.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_app_version_counts.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_app_version_counts.category_version is
    'Stated version of the category; 0 when unstated.';
comment on column afterpush.rollup_app_version_counts.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_app_version_counts.is_sent is 'Whether the deliveries are in state sent.';
comment on column afterpush.rollup_app_version_counts.is_confirmed is 'Whether the deliveries are in state confirmed.';
comment on column afterpush.rollup_app_version_counts.actions is
    'The set of actions taken on the deliveries, in byte order; empty when none.';
comment on column afterpush.rollup_app_version_counts.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_app_version_counts.failed is 'Number of deliveries in state failed.';
comment on column afterpush.rollup_app_version_counts.delivered is 'Number of deliveries in state delivered.';
comment on column afterpush.rollup_app_version_counts.displayed is 'Number of deliveries in state displayed.';
comment on column afterpush.rollup_app_version_counts.opened is 'Number of deliveries in state opened.';
comment on column afterpush.rollup_app_version_counts.replied is 'Number of deliveries in state replied.';
comment on column afterpush.rollup_app_version_counts.dismissed is 'Number of deliveries in state dismissed.';
comment on column afterpush.rollup_app_version_counts.read is 'Number of deliveries in state read.';
comment on column afterpush.rollup_app_version_counts.responded is 'Number of deliveries in state responded.';
comment on column afterpush.rollup_app_version_counts.converted_events is
    'Number of deliveries with a converted event within the conversion window.';
comment on column afterpush.rollup_app_version_counts.replaced is 'Number of deliveries in state replaced.';
comment on column afterpush.rollup_app_version_counts.refused is
    'Number of deliveries in state failed and not in state replaced.';
comment on column afterpush.rollup_app_version_counts.locally_sent is
    'Number of deliveries in state sent of which only unverified events say so: local triggers.';
comment on column afterpush.rollup_app_version_counts.only_locally_sent is
    'Number of deliveries of which nothing is known but sent events of local triggers.';
comment on column afterpush.rollup_app_version_counts.app_version is 'Version of the app; empty when unknown.';
alter table afterpush.rollup_app_version_counts enable row level security;
create policy report on afterpush.rollup_app_version_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_app_version_counts to afterpush_worker using (true) with check (true);

create table afterpush.rollup_action_counts (
    app_id integer not null,
    modes smallint not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    is_sent boolean not null,
    is_confirmed boolean not null,
    action_id text collate "C" not null,
    bucket smallint not null,
    deliveries integer not null,
    events bigint not null,
    primary key (
        app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
        action_id, bucket
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_action_counts is
    'Deliveries with an action, by dimension, anchor hour, action and time to the action.';
comment on column afterpush.rollup_action_counts.app_id is 'The app.';
comment on column afterpush.rollup_action_counts.modes is
    'Counted by 1 all events, 2 verified events, 3 either (function count_modes).';
comment on column afterpush.rollup_action_counts.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_action_counts.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_action_counts.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_action_counts.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_action_counts.category_version is 'Stated version of the category; 0 when unstated.';
comment on column afterpush.rollup_action_counts.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_action_counts.is_sent is 'Whether the deliveries are in state sent.';
comment on column afterpush.rollup_action_counts.is_confirmed is 'Whether the deliveries are in state confirmed.';
comment on column afterpush.rollup_action_counts.action_id is 'The action.';
comment on column afterpush.rollup_action_counts.bucket is
    'Time to the action (function time_bucket); -2 when neither sent nor confirmed, -1 when negative.';
comment on column afterpush.rollup_action_counts.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_action_counts.events is 'Number of events of the action.';
alter table afterpush.rollup_action_counts enable row level security;
create policy report on afterpush.rollup_action_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_action_counts to afterpush_worker using (true) with check (true);

-- How long deliveries were observed without a response: everything that the Kaplan-Meier estimate of the report
-- `response-time` needs, at any number of deliveries and once they are purged. The design:
--   - A row has both clocks, since a response changes as many rows as if there were one: confirmed_time counts from the
--     confirmation, sent_time from the send. One integer says how the observation ended (function observed_time): with a
--     response, in a time bucket; with a failure or replacement, in another range of numbers; or not yet. Then it is the
--     quarter of an hour in which it began, because how long it lasts depends on when the report runs.
--   - Merging derives them from deliveries (failed_at and replaced_at are there for this), groups shapes by them, and
--     adds the difference here (response_deltas) and by day (rollup_response_days). So apply_upgrades, rollup_rebuild,
--     rollup_verify, sealing and erasure treat them like every other rollup of deliveries.
--   - By day there are running totals per clock and ending, so that a quantile is a search. Open observations have whole
--     hours there; reports read the last two days by the hour.
--   - Observations that are still open are rounded up, at most by 15 minutes, or an hour in 24: an estimate that took
--     them for shorter than responses of the same deliveries would end at 0.
create table afterpush.rollup_response_counts (
    app_id integer not null,
    modes smallint not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    app_version text collate "C" not null,
    confirmed_time integer not null,
    sent_time integer not null,
    deliveries integer not null,
    primary key (
        app_id, modes, anchor_hour, campaign_id, variant, category_id, platform, app_version, confirmed_time, sent_time
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_response_counts is
    'Deliveries by how long they were observed without a response, since the confirmation and since the send. Those '
    'that have neither and did not respond are left out.';
comment on column afterpush.rollup_response_counts.app_id is 'The app.';
comment on column afterpush.rollup_response_counts.modes is
    'Counted by 1 all events, 2 verified events, 3 either (function count_modes).';
comment on column afterpush.rollup_response_counts.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_response_counts.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_response_counts.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_response_counts.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_response_counts.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_response_counts.app_version is 'Version of the app; empty when unknown.';
comment on column afterpush.rollup_response_counts.confirmed_time is
    'Since the confirmation. Below 1000: responded, in this time bucket (function time_bucket), -1 if negative, -2 if '
    'not confirmed. 1000 and more: failed or replaced, in the time bucket less 1000. 10000 and more: neither; the '
    'quarter of an hour, counted from 1970, in which it was confirmed. -3: no response and not confirmed.';
comment on column afterpush.rollup_response_counts.sent_time is 'The same since the send.';
comment on column afterpush.rollup_response_counts.deliveries is 'Number of deliveries.';
alter table afterpush.rollup_response_counts enable row level security;
create policy report on afterpush.rollup_response_counts for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_response_counts to afterpush_worker using (true) with check (true);

-- Events by hour. A row has a column for each kind, because a time series reads them all, and one row per kind would be
-- slower. The counts are integers, which PostgreSQL sums faster than bigints.
create table afterpush.rollup_events (
    app_id integer not null,
    verified boolean not null,
    event_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    sent integer not null,
    failed integer not null,
    delivered integer not null,
    displayed integer not null,
    read integer not null,
    opened integer not null,
    action integer not null,
    text_input integer not null,
    dismissed integer not null,
    converted integer not null,
    replaced integer not null,
    media_played integer not null,
    media_paused integer not null,
    attachment_failed integer not null,
    extension_expired integer not null,
    token_registered integer not null,
    token_failed integer not null,
    permission_granted integer not null,
    permission_revoked integer not null,
    app_opened integer not null,
    held_out integer not null,
    events integer not null,
    primary key (app_id, verified, campaign_id, event_hour, variant, category_id, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_events is
    'Events of each kind by the hour they occurred in, and by their delivery''s dimensions.';
comment on column afterpush.rollup_events.app_id is 'The app.';
comment on column afterpush.rollup_events.verified is
    'Whether only verified events count; each event is in false, and in true if it is verified. In true, dimensions '
    'are known only if verified events state them.';
comment on column afterpush.rollup_events.event_hour is 'Hour of occurred_at, UTC.';
comment on column afterpush.rollup_events.campaign_id is
    'Campaign of the delivery; empty when unknown, and for events about the device alone.';
comment on column afterpush.rollup_events.variant is 'Variant of the delivery; see campaign_id.';
comment on column afterpush.rollup_events.category_id is 'Category of the delivery; see campaign_id.';
comment on column afterpush.rollup_events.platform is
    'Platform of the delivery, or of the event if it is about the device alone; empty when unknown.';
comment on column afterpush.rollup_events.sent is 'Number of events of the kind sent.';
comment on column afterpush.rollup_events.failed is 'Number of events of the kind failed.';
comment on column afterpush.rollup_events.delivered is 'Number of events of the kind delivered.';
comment on column afterpush.rollup_events.displayed is 'Number of events of the kind displayed.';
comment on column afterpush.rollup_events.read is 'Number of events of the kind read.';
comment on column afterpush.rollup_events.opened is 'Number of events of the kind opened.';
comment on column afterpush.rollup_events.action is 'Number of events of the kind action.';
comment on column afterpush.rollup_events.text_input is 'Number of events of the kind text_input.';
comment on column afterpush.rollup_events.dismissed is 'Number of events of the kind dismissed.';
comment on column afterpush.rollup_events.converted is 'Number of events of the kind converted.';
comment on column afterpush.rollup_events.replaced is 'Number of events of the kind replaced.';
comment on column afterpush.rollup_events.media_played is 'Number of events of the kind media_played.';
comment on column afterpush.rollup_events.media_paused is 'Number of events of the kind media_paused.';
comment on column afterpush.rollup_events.attachment_failed is 'Number of events of the kind attachment_failed.';
comment on column afterpush.rollup_events.extension_expired is 'Number of events of the kind extension_expired.';
comment on column afterpush.rollup_events.token_registered is 'Number of events of the kind token_registered.';
comment on column afterpush.rollup_events.token_failed is 'Number of events of the kind token_failed.';
comment on column afterpush.rollup_events.permission_granted is 'Number of events of the kind permission_granted.';
comment on column afterpush.rollup_events.permission_revoked is 'Number of events of the kind permission_revoked.';
comment on column afterpush.rollup_events.app_opened is 'Number of events of the kind app_opened.';
comment on column afterpush.rollup_events.held_out is 'Number of events of the kind held_out.';
comment on column afterpush.rollup_events.events is 'Number of events of all kinds.';
alter table afterpush.rollup_events enable row level security;
create policy report on afterpush.rollup_events for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_events to afterpush_worker using (true) with check (true);

-- Events by hour and platform only: fewer rows, and enough for most time series.
create table afterpush.rollup_event_hours (
    app_id integer not null,
    verified boolean not null,
    event_hour timestamptz not null,
    platform text collate "C" not null,
    sent integer not null,
    failed integer not null,
    delivered integer not null,
    displayed integer not null,
    read integer not null,
    opened integer not null,
    action integer not null,
    text_input integer not null,
    dismissed integer not null,
    converted integer not null,
    replaced integer not null,
    media_played integer not null,
    media_paused integer not null,
    attachment_failed integer not null,
    extension_expired integer not null,
    token_registered integer not null,
    token_failed integer not null,
    permission_granted integer not null,
    permission_revoked integer not null,
    app_opened integer not null,
    held_out integer not null,
    events integer not null,
    primary key (app_id, verified, event_hour, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_event_hours is 'rollup_events summed over campaigns, variants and categories.';
comment on column afterpush.rollup_event_hours.app_id is 'The app.';
comment on column afterpush.rollup_event_hours.verified is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.event_hour is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.platform is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.sent is 'Number of events of the kind sent.';
comment on column afterpush.rollup_event_hours.failed is 'Number of events of the kind failed.';
comment on column afterpush.rollup_event_hours.delivered is 'Number of events of the kind delivered.';
comment on column afterpush.rollup_event_hours.displayed is 'Number of events of the kind displayed.';
comment on column afterpush.rollup_event_hours.read is 'Number of events of the kind read.';
comment on column afterpush.rollup_event_hours.opened is 'Number of events of the kind opened.';
comment on column afterpush.rollup_event_hours.action is 'Number of events of the kind action.';
comment on column afterpush.rollup_event_hours.text_input is 'Number of events of the kind text_input.';
comment on column afterpush.rollup_event_hours.dismissed is 'Number of events of the kind dismissed.';
comment on column afterpush.rollup_event_hours.converted is 'Number of events of the kind converted.';
comment on column afterpush.rollup_event_hours.replaced is 'Number of events of the kind replaced.';
comment on column afterpush.rollup_event_hours.media_played is 'Number of events of the kind media_played.';
comment on column afterpush.rollup_event_hours.media_paused is 'Number of events of the kind media_paused.';
comment on column afterpush.rollup_event_hours.attachment_failed is
    'Number of events of the kind attachment_failed.';
comment on column afterpush.rollup_event_hours.extension_expired is
    'Number of events of the kind extension_expired.';
comment on column afterpush.rollup_event_hours.token_registered is 'Number of events of the kind token_registered.';
comment on column afterpush.rollup_event_hours.token_failed is 'Number of events of the kind token_failed.';
comment on column afterpush.rollup_event_hours.permission_granted is
    'Number of events of the kind permission_granted.';
comment on column afterpush.rollup_event_hours.permission_revoked is
    'Number of events of the kind permission_revoked.';
comment on column afterpush.rollup_event_hours.app_opened is 'Number of events of the kind app_opened.';
comment on column afterpush.rollup_event_hours.held_out is 'Number of events of the kind held_out.';
comment on column afterpush.rollup_event_hours.events is 'Number of events of all kinds.';
alter table afterpush.rollup_event_hours enable row level security;
create policy report on afterpush.rollup_event_hours for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_event_hours to afterpush_worker using (true) with check (true);

-- The rollups by day: sums over the hours of a UTC day, for reports about long periods.
create table afterpush.rollup_delivery_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null,
    deliveries_both integer not null,
    failed integer not null,
    delivered integer not null,
    delivered_sent integer not null,
    displayed integer not null,
    opened integer not null,
    opened_sent integer not null,
    opened_confirmed integer not null,
    acted integer not null,
    acted_sent integer not null,
    acted_confirmed integer not null,
    replied integer not null,
    replied_sent integer not null,
    replied_confirmed integer not null,
    dismissed integer not null,
    dismissed_sent integer not null,
    dismissed_confirmed integer not null,
    read integer not null,
    read_sent integer not null,
    read_confirmed integer not null,
    responded integer not null,
    responded_sent integer not null,
    responded_confirmed integer not null,
    converted_events integer not null,
    converted_events_sent integer not null,
    converted_events_confirmed integer not null,
    replaced integer not null,
    replaced_sent integer not null,
    replaced_confirmed integer not null,
    refused integer not null,
    refused_sent integer not null,
    locally_sent integer not null,
    only_locally_sent integer not null,
    primary key (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_delivery_days is
    'rollup_deliveries summed over the hours of a day, and over states and actions.';
comment on column afterpush.rollup_delivery_days.app_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.verified is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.anchor_day is 'Day of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_delivery_days.campaign_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.variant is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.category_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.category_version is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.platform is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.deliveries is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.deliveries_sent is 'Number of deliveries in state sent.';
comment on column afterpush.rollup_delivery_days.deliveries_confirmed is 'Number of deliveries in state confirmed.';
comment on column afterpush.rollup_delivery_days.deliveries_both is
    'Number of deliveries in states sent and confirmed.';
comment on column afterpush.rollup_delivery_days.failed is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.delivered is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.delivered_sent is 'Number of deliveries in states delivered and sent.';
comment on column afterpush.rollup_delivery_days.displayed is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.opened is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.opened_sent is 'Number of deliveries in states opened and sent.';
comment on column afterpush.rollup_delivery_days.opened_confirmed is
    'Number of deliveries in states opened and confirmed.';
comment on column afterpush.rollup_delivery_days.acted is 'Number of deliveries in state acted.';
comment on column afterpush.rollup_delivery_days.acted_sent is 'Number of deliveries in states acted and sent.';
comment on column afterpush.rollup_delivery_days.acted_confirmed is
    'Number of deliveries in states acted and confirmed.';
comment on column afterpush.rollup_delivery_days.replied is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.replied_sent is 'Number of deliveries in states replied and sent.';
comment on column afterpush.rollup_delivery_days.replied_confirmed is
    'Number of deliveries in states replied and confirmed.';
comment on column afterpush.rollup_delivery_days.dismissed is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.dismissed_sent is 'Number of deliveries in states dismissed and sent.';
comment on column afterpush.rollup_delivery_days.dismissed_confirmed is
    'Number of deliveries in states dismissed and confirmed.';
comment on column afterpush.rollup_delivery_days.read is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.read_sent is 'Number of deliveries in states read and sent.';
comment on column afterpush.rollup_delivery_days.read_confirmed is 'Number of deliveries in states read and confirmed.';
comment on column afterpush.rollup_delivery_days.responded is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.responded_sent is 'Number of deliveries in states responded and sent.';
comment on column afterpush.rollup_delivery_days.responded_confirmed is
    'Number of deliveries in states responded and confirmed.';
comment on column afterpush.rollup_delivery_days.converted_events is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.converted_events_sent is
    'Number of deliveries with a converted event within the conversion window, in state sent.';
comment on column afterpush.rollup_delivery_days.converted_events_confirmed is
    'Number of deliveries with a converted event within the conversion window, in state confirmed.';
comment on column afterpush.rollup_delivery_days.replaced is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.replaced_sent is 'Number of deliveries in states replaced and sent.';
comment on column afterpush.rollup_delivery_days.replaced_confirmed is
    'Number of deliveries in states replaced and confirmed.';
comment on column afterpush.rollup_delivery_days.refused is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.refused_sent is
    'Number of deliveries in states failed and sent, and not in state replaced.';
comment on column afterpush.rollup_delivery_days.locally_sent is 'As in rollup_deliveries.';
comment on column afterpush.rollup_delivery_days.only_locally_sent is 'As in rollup_deliveries.';
alter table afterpush.rollup_delivery_days enable row level security;
create policy report on afterpush.rollup_delivery_days for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_delivery_days to afterpush_worker using (true) with check (true);

-- What report_bases needs of rollup_delivery_days, summed over everything but campaigns and days: it is read before each
-- report, and has far fewer rows.
create table afterpush.rollup_campaign_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null,
    locally_sent integer not null,
    only_locally_sent integer not null,
    primary key (app_id, verified, campaign_id, anchor_day)
) with (fillfactor = 80);
comment on table afterpush.rollup_campaign_days is
    'Deliveries by campaign and UTC day: the sums of rollup_delivery_days from which the base of rates is chosen.';
comment on column afterpush.rollup_campaign_days.app_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_campaign_days.verified is 'As in rollup_deliveries.';
comment on column afterpush.rollup_campaign_days.anchor_day is 'Day of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_campaign_days.campaign_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_campaign_days.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_campaign_days.deliveries_sent is 'Number of deliveries in state sent.';
comment on column afterpush.rollup_campaign_days.deliveries_confirmed is 'Number of deliveries in state confirmed.';
comment on column afterpush.rollup_campaign_days.locally_sent is 'As in rollup_deliveries.';
comment on column afterpush.rollup_campaign_days.only_locally_sent is 'As in rollup_deliveries.';
alter table afterpush.rollup_campaign_days enable row level security;
create policy report on afterpush.rollup_campaign_days for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_campaign_days to afterpush_worker using (true) with check (true);

create table afterpush.rollup_goal_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    actions text[] collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null
) with (fillfactor = 80);
create unique index rollup_goal_days_key on afterpush.rollup_goal_days (
    app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
    afterpush.actions_key(actions)
);
comment on table afterpush.rollup_goal_days is
    'Deliveries with an action and without a converted event that counts, by their actions: converted if one is a goal.';
comment on column afterpush.rollup_goal_days.app_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.verified is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.anchor_day is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.campaign_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.variant is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.category_id is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.category_version is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.platform is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.actions is 'As in rollup_deliveries.';
comment on column afterpush.rollup_goal_days.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_goal_days.deliveries_sent is 'Number of deliveries in state sent.';
comment on column afterpush.rollup_goal_days.deliveries_confirmed is 'Number of deliveries in state confirmed.';
alter table afterpush.rollup_goal_days enable row level security;
create policy report on afterpush.rollup_goal_days for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_goal_days to afterpush_worker using (true) with check (true);

create table afterpush.rollup_action_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    action_id text collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null,
    events integer not null,
    times integer[] not null,
    primary key (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id)
) with (fillfactor = 80);
comment on table afterpush.rollup_action_days is
    'rollup_actions summed over the hours of a day, platforms and states.';
comment on column afterpush.rollup_action_days.app_id is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.verified is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.anchor_day is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.campaign_id is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.variant is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.category_id is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.category_version is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.action_id is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_action_days.deliveries_sent is 'Number of deliveries in state sent.';
comment on column afterpush.rollup_action_days.deliveries_confirmed is 'Number of deliveries in state confirmed.';
comment on column afterpush.rollup_action_days.events is 'As in rollup_actions.';
comment on column afterpush.rollup_action_days.times is
    'Running totals of deliveries by the time to the action (function running_totals_of).';
alter table afterpush.rollup_action_days enable row level security;
create policy report on afterpush.rollup_action_days for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_action_days to afterpush_worker using (true) with check (true);

create table afterpush.rollup_response_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    deliveries integer not null,
    confirmed_times integer[] not null,
    confirmed_ended integer[] not null,
    confirmed_open integer[] not null,
    sent_times integer[] not null,
    sent_ended integer[] not null,
    sent_open integer[] not null,
    primary key (app_id, verified, campaign_id, anchor_day, variant, category_id, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_response_days is
    'rollup_responses summed over the hours of a day and versions of the app.';
comment on column afterpush.rollup_response_days.app_id is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.verified is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.anchor_day is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.campaign_id is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.variant is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.category_id is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.platform is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.deliveries is 'Number of deliveries in state responded.';
comment on column afterpush.rollup_response_days.confirmed_times is
    'Running totals (function running_totals_of) of those that responded, by the time bucket since the confirmation.';
comment on column afterpush.rollup_response_days.confirmed_ended is
    'The same of those that were confirmed and replaced, by the time bucket until then.';
comment on column afterpush.rollup_response_days.confirmed_open is
    'The same of those that were confirmed and can still be answered, by the hour of the confirmation, counted from '
    '1970; at the earliest a day before anchor_day, at the latest a week after it.';
comment on column afterpush.rollup_response_days.sent_times is 'As confirmed_times, since the send.';
comment on column afterpush.rollup_response_days.sent_ended is
    'As confirmed_ended, since the send, and with those that failed.';
comment on column afterpush.rollup_response_days.sent_open is 'As confirmed_open, by the hour of the send.';
alter table afterpush.rollup_response_days enable row level security;
create policy report on afterpush.rollup_response_days for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.rollup_response_days to afterpush_worker using (true) with check (true);
