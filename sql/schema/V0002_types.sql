-- Types of columns, and of the values that functions hand to each other while they merge events and compute reports.
--
-- Text that comes from outside is compared by bytes (collation C) everywhere, so the types say it as well: a function's
-- columns have no collation of their own.

-- Kinds of events. The position of a kind is its bit in deliveries.kinds (function kind_bit), so the order is fixed.
create type afterpush.event_kind as enum (
    'sent', 'failed', 'delivered', 'displayed', 'read', 'opened', 'action', 'text_input', 'dismissed', 'converted',
    'replaced', 'media_played', 'media_paused', 'attachment_failed', 'extension_expired', 'held_out',
    'token_registered', 'token_failed', 'permission_granted', 'permission_revoked', 'app_opened'
);
comment on type afterpush.event_kind is
    'What happened. From token_registered on, a kind is about the device alone; so is converted without a notification.';

-- What vouches for a name that events use without a declaration. Later values are more trustworthy.
create type afterpush.name_source as enum ('unverified', 'receipt', 'server');
comment on type afterpush.name_source is
    'What vouches for a name: nothing, a receipt bound to the device, or the server, by a send key or in a receipt.';

-- One action of one delivery, its unverified and its verified events apart; a time is null if there are none.
create type afterpush.delivery_action as (
    action_id text collate "C",
    unverified_first_at timestamptz,
    unverified_events integer,
    verified_first_at timestamptz,
    verified_events integer
);
comment on type afterpush.delivery_action is
    'One action of one delivery: earliest time and number of its unverified and of its verified events.';

-- One `converted` event of one delivery.
create type afterpush.delivery_conversion as (occurred_at timestamptz, verified boolean);
comment on type afterpush.delivery_conversion is 'A converted event of a delivery: when, and whether it is verified.';

-- A number of events of one hour, by kind and by the dimensions of rollup_events: of all events, or of the verified
-- ones under the dimensions that these state. A change of that number may be negative.
create type afterpush.event_count as (
    app_id integer,
    verified boolean,
    event_hour timestamptz,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    kind afterpush.event_kind,
    events bigint
);
comment on type afterpush.event_count is
    'The number of events, or of verified events, of one kind and hour, with some dimensions.';

-- A delivery and dimensions it had; see moved_event_counts. verified_dimensions are those of them that verified events
-- state (function verified_dimensions).
create type afterpush.delivery_dimensions as (
    delivery_id uuid,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    verified_dimensions integer
);
comment on type afterpush.delivery_dimensions is
    'The dimensions of a delivery by which rollup_events counts its events.';

-- What some events say about one delivery: the result of delivery_deltas. platform, app_version, campaign and category
-- are attribution keys (functions/deliveries/attribution.sql). first_event_at and receipt_issued_at are about verified events alone if there
-- is one. conversions and actions have one entry per event of their kinds. event_hours and
-- event_codes have one entry per event, in the same order; functions/deliveries/event_code.sql explains the codes.
create type afterpush.delivery_delta as (
    delivery_id uuid,
    app_id integer,
    kinds integer,
    verified_kinds integer,
    platform text collate "C",
    app_version text collate "C",
    campaign text collate "C",
    category text collate "C",
    first_event_at timestamptz,
    sent_at timestamptz,
    receipt_issued_at timestamptz,
    confirmed_at timestamptz,
    responded_at timestamptz,
    verified_sent_at timestamptz,
    verified_confirmed_at timestamptz,
    verified_responded_at timestamptz,
    failed_at timestamptz,
    replaced_at timestamptz,
    verified_failed_at timestamptz,
    verified_replaced_at timestamptz,
    notification_id text collate "C",
    device_id text collate "C",
    conversions afterpush.delivery_conversion[],
    actions afterpush.delivery_action[],
    event_hours timestamptz[],
    event_codes integer[]
);
comment on type afterpush.delivery_delta is
    'What some events say about one delivery: dimensions as attribution keys, and the hour and code of each event.';

-- A delivery that a merge touches: the result of touched_deliveries. The columns of deliveries, up to actions, hold its
-- new state; those that begin with old_ hold what the rollups counted of its old one. counted_kinds and
-- counted_verified_kinds are what they count of its new one, with the conversion window (function counted_kinds), and
-- so are old_kinds and old_verified_kinds. stored_row is the location of its row, null if it is new. is_frozen: its
-- hour is sealed, so it stays as it is.
create type afterpush.touched_delivery as (
    stored_row tid,
    is_frozen boolean,
    delivery_id uuid,
    app_id integer,
    kinds integer,
    verified_kinds integer,
    platform_source_rank smallint,
    app_version_source_rank smallint,
    campaign_source_rank smallint,
    category_source_rank smallint,
    category_version integer,
    first_event_at timestamptz,
    sent_at timestamptz,
    receipt_issued_at timestamptz,
    confirmed_at timestamptz,
    responded_at timestamptz,
    verified_sent_at timestamptz,
    verified_confirmed_at timestamptz,
    verified_responded_at timestamptz,
    converted_at timestamptz,
    verified_converted_at timestamptz,
    failed_at timestamptz,
    replaced_at timestamptz,
    verified_failed_at timestamptz,
    verified_replaced_at timestamptz,
    notification_id text collate "C",
    device_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    fallbacks text[] collate "C",
    actions afterpush.delivery_action[],
    anchor_hour timestamptz,
    counted_kinds integer,
    counted_verified_kinds integer,
    event_hours timestamptz[],
    event_codes integer[],
    old_kinds integer,
    old_verified_kinds integer,
    old_category_version integer,
    old_confirmed_time integer,
    old_sent_time integer,
    old_verified_confirmed_time integer,
    old_verified_sent_time integer,
    old_reached_at timestamptz,
    old_verified_reached_at timestamptz,
    old_platform text collate "C",
    old_app_version text collate "C",
    old_campaign_id text collate "C",
    old_variant text collate "C",
    old_category_id text collate "C",
    old_verified_dimensions integer,
    old_actions afterpush.delivery_action[],
    old_anchor_hour timestamptz
);
comment on type afterpush.touched_delivery is
    'A delivery that a merge touches: its new state, and what the rollups counted of its old one.';

-- The actions of a delivery as the rollups count them. The arrays are parallel, one entry per action. A bucket is that
-- of the time to the action (function time_bucket); verified_buckets is -2 for an action without a verified event.
create type afterpush.timed_actions as (
    action_ids text[] collate "C",
    buckets smallint[],
    events integer[],
    verified_buckets smallint[],
    verified_events integer[]
);
comment on type afterpush.timed_actions is
    'The actions of a delivery as the rollups count them: time bucket and number of events of each.';

-- Deliveries that the rollups cannot tell apart, and how many there are of them. All rollups of deliveries derive from
-- shapes: most deliveries look like many others, so little is left to compute. Unknown dimensions are empty, an
-- unstated category version is 0; verified_dimensions are those that verified events state. The times say how long the
-- delivery was observed without a response, since its confirmation and since its send (function observed_time). A change
-- of the number may be negative. come and gone hold a byte for each delivery that came to have this shape, and for each that had it before: the bucket of its
-- device (function device_byte).
create type afterpush.delivery_shape as (
    app_id integer,
    anchor_hour timestamptz,
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    category_version integer,
    platform text collate "C",
    verified_dimensions integer,
    kinds integer,
    verified_kinds integer,
    confirmed_time integer,
    sent_time integer,
    verified_confirmed_time integer,
    verified_sent_time integer,
    actions afterpush.timed_actions,
    deliveries integer,
    come bytea,
    gone bytea
);
comment on type afterpush.delivery_shape is
    'Everything the rollups count of a delivery, and the number of deliveries to which it applies.';

-- Deliveries that received the same events at the same hours. event_hours and event_codes are those of delivery_delta.
create type afterpush.event_shape as (
    app_id integer,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    verified_dimensions integer,
    event_hours timestamptz[],
    event_codes integer[],
    deliveries integer
);
comment on type afterpush.event_shape is
    'The hours and codes of a delivery''s events, and the number of deliveries to which they apply.';

-- A delivery with a converted event, as the rollup of values counts it: as it is now (sign 1), or as it was (sign -1).
-- Unknown dimensions are empty.
create type afterpush.converted_delivery as (
    sign integer,
    delivery_id uuid,
    app_id integer,
    anchor_hour timestamptz,
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    verified_dimensions integer,
    kinds integer,
    verified_kinds integer
);
comment on type afterpush.converted_delivery is
    'A delivery with a converted event: as it is now, or as it was before a merge.';

-- The result of merge_batches.
create type afterpush.merge_result as (
    shapes afterpush.delivery_shape[],
    event_shapes afterpush.event_shape[],
    regrouped afterpush.delivery_dimensions[],
    converted afterpush.converted_delivery[]
);
comment on type afterpush.merge_result is
    'What a merge changes in the rollups: deliveries, events, and the old dimensions of deliveries that changed them.';

-- What the rates of a campaign are shares of: sent, confirmed or none (function report_bases). The deliveries without a
-- campaign have an empty campaign_id; null stands for the campaigns that have no row of their own.
create type afterpush.campaign_base as (
    campaign_id text collate "C",
    base text collate "C"
);
comment on type afterpush.campaign_base is
    'The base of the rates of one campaign, or of all campaigns without a row of their own.';

create type afterpush.campaign_terms as (
    campaign_id text collate "C",
    goal_actions text[] collate "C",
    closed_until timestamptz,
    declared boolean,
    last_hour timestamptz,
    base text collate "C"
);
comment on type afterpush.campaign_terms is
    'Goals of a campaign, its last closed anchor hour, whether it declared sends, the hour of the last one, and its base, '
    'null if it is that of most campaigns.';

-- Running totals of deliveries by time bucket, as a type so that several of them fit into an array.
create type afterpush.running_totals as (times integer[]);
comment on type afterpush.running_totals is
    'Running totals of deliveries by time bucket (function running_totals_of).';

-- How long deliveries were observed without a response, on one clock: a part of what a Kaplan-Meier estimate is made of
-- (function observed_survival). Each array holds running totals: `times` of those that responded and `ended` of those
-- that failed or were replaced, by time bucket; `open` of those that can still be answered, by when their observation
-- began, in units of slot_seconds since 1970.
create type afterpush.observed_totals as (
    times integer[],
    ended integer[],
    open integer[],
    slot_seconds integer
);
comment on type afterpush.observed_totals is
    'Running totals of deliveries by how long they were observed without a response, on one clock.';
