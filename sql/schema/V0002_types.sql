-- The types of columns and of the functions that merge events: kinds of events, actions and dimensions of a delivery, sums.

-- Layer 1: the log of events, each once, and what was refused.
create type afterpush.event_kind as enum (
    'sent', 'failed', 'delivered', 'displayed', 'read', 'opened', 'action', 'text_input', 'dismissed', 'converted',
    'replaced', 'media_played', 'media_paused', 'attachment_failed', 'extension_expired',
    'token_registered', 'token_failed', 'permission_granted', 'permission_revoked', 'app_opened'
);
comment on type afterpush.event_kind is
    'What happened. From token_registered on, a kind is about the device alone.';

-- What is known of one action of one delivery. The verified_ fields speak of verified events only.
create type afterpush.delivery_action as (
    action_id text collate "C",
    first_at timestamptz,
    events integer,
    verified_first_at timestamptz,
    verified_events integer
);
comment on type afterpush.delivery_action is
    'One action of one delivery: its earliest time and its number of events.';

create type afterpush.event_count as (
    app_id integer,
    event_hour timestamptz,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C",
    kind afterpush.event_kind,
    events bigint,
    verified_events bigint
);
comment on type afterpush.event_count is
    'How many events of a kind, and how many of them are verified, of an hour and some dimensions.';

-- What changes because deliveries have other names now than in `before`: their events that are merged leave the old
-- ones and go to the new ones.
create type afterpush.delivery_dimensions as (
    delivery_id uuid,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C"
);
comment on type afterpush.delivery_dimensions is 'The dimensions of a delivery that the sums of events know.';

-- Merging. What changes: the events of a delivery are taken together first, and what is stored of it is read once, beside
-- them, and changed in place. Deliveries are counted by all that the rollups ask for before anything is derived from it.
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
    notification_id text collate "C",
    device_id text collate "C",
    actions afterpush.delivery_action[],
    event_hours timestamptz[],
    event_kinds integer[]
);
comment on type afterpush.delivery_delta is
    'What events tell of a delivery: each dimension with its source_rank as one text (function told), and hour and kind of each event (its bit, twice, and one more if it is verified).';

-- The actions of a delivery as the rollups count them: action by action, the bucket of its time and how often it was taken.
create type afterpush.timed_actions as (
    action_ids text[] collate "C",
    buckets smallint[],
    events integer[],
    verified_buckets smallint[],
    verified_events integer[]
);
comment on type afterpush.timed_actions is 'The actions of a delivery as rollups count them.';

create type afterpush.campaign_terms as (
    campaign_id text collate "C",
    goal_actions text[] collate "C",
    closed_until timestamptz,
    declared boolean,
    last_hour timestamptz
);
comment on type afterpush.campaign_terms is
    'What holds of a campaign''s deliveries: goals, the last closed anchor hour, and its declared sends, of which the last''s hour.';

-- Quantiles of running numbers.
create type afterpush.running_totals as (times integer[]);
comment on type afterpush.running_totals is
    'Running numbers of deliveries by time (function running_totals_of), of which there may be several.';
