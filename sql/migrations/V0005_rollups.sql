-- Layer 3: sums of deliveries by dimension and anchor hour, kept by signed deltas. They depend on events alone: what
-- was declared (versions, goals, windows) is joined when a report runs, so a declaration never has to touch them.
-- In a key, unknown is ''; category_version 0 is unstated. `actions` is the set of actions that the deliveries of the
-- row were answered with, so goals can be applied to it later.

create table afterpush.rollup_deliveries (
    app_id integer not null,
    verified boolean not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    is_sent boolean not null,
    is_confirmed boolean not null,
    actions text[] collate "C" not null,
    deliveries bigint not null,
    failed bigint not null,
    delivered bigint not null,
    displayed bigint not null,
    opened bigint not null,
    replied bigint not null,
    dismissed bigint not null,
    read bigint not null,
    responded bigint not null,
    converted_events bigint not null,
    replaced bigint not null,
    primary key (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, actions
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_deliveries is 'Deliveries in each state, by dimension and anchor hour.';
comment on column afterpush.rollup_deliveries.app_id is 'The app.';
comment on column afterpush.rollup_deliveries.verified is 'Whether states hold by verified events only; each delivery stands under false, and under true if it has a verified event.';
comment on column afterpush.rollup_deliveries.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_deliveries.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_deliveries.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_deliveries.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_deliveries.category_version is 'Stated version of the category; 0 when unstated.';
comment on column afterpush.rollup_deliveries.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_deliveries.is_sent is 'Whether the deliveries are in state sent.';
comment on column afterpush.rollup_deliveries.is_confirmed is 'Whether the deliveries are confirmed.';
comment on column afterpush.rollup_deliveries.actions is 'The set of actions they were answered with, in byte order; empty when none.';
comment on column afterpush.rollup_deliveries.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_deliveries.failed is 'Of these, in state failed.';
comment on column afterpush.rollup_deliveries.delivered is 'Of these, in state delivered.';
comment on column afterpush.rollup_deliveries.displayed is 'Of these, in state displayed.';
comment on column afterpush.rollup_deliveries.opened is 'Of these, in state opened.';
comment on column afterpush.rollup_deliveries.replied is 'Of these, in state replied.';
comment on column afterpush.rollup_deliveries.dismissed is 'Of these, in state dismissed.';
comment on column afterpush.rollup_deliveries.read is 'Of these, in state read.';
comment on column afterpush.rollup_deliveries.responded is 'Of these, in state responded.';
comment on column afterpush.rollup_deliveries.converted_events is 'Of these, with a converted event.';
comment on column afterpush.rollup_deliveries.replaced is 'Of these, in state replaced.';

create table afterpush.rollup_app_versions (
    like afterpush.rollup_deliveries including comments,
    app_version text collate "C" not null,
    primary key (
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, actions
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_app_versions is 'rollup_deliveries, by app version as well.';
comment on column afterpush.rollup_app_versions.app_version is 'Version of the app; empty when unknown.';

create table afterpush.rollup_actions (
    app_id integer not null,
    verified boolean not null,
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
    deliveries bigint not null,
    events bigint not null,
    primary key (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_id, bucket
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_actions is 'Deliveries acted on, by action and time to the action.';
comment on column afterpush.rollup_actions.app_id is 'The app.';
comment on column afterpush.rollup_actions.verified is 'As in rollup_deliveries.';
comment on column afterpush.rollup_actions.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_actions.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_actions.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_actions.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_actions.category_version is 'Stated version of the category; 0 when unstated.';
comment on column afterpush.rollup_actions.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_actions.is_sent is 'Whether the deliveries are in state sent.';
comment on column afterpush.rollup_actions.is_confirmed is 'Whether the deliveries are confirmed.';
comment on column afterpush.rollup_actions.action_id is 'The action.';
comment on column afterpush.rollup_actions.bucket is 'Time to the action (function time_bucket); -2 when neither sent nor confirmed, -1 when negative.';
comment on column afterpush.rollup_actions.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_actions.events is 'Number of events of the action.';

-- Logarithmic buckets of a duration: 0 for none, then bucket b holds [1.08^(b-1), 1.08^b) microseconds.
-- Reading one at the geometric middle of its bounds is off by at most sqrt(1.08) - 1 = 3.9 %.
create function afterpush.time_bucket(duration interval) returns smallint
language sql immutable parallel safe
return case
    when duration is null then -2
    when duration < interval '0' then -1
    when duration = interval '0' then 0
    else 1 + floor(ln(extract(epoch from duration)::float8 * 1e6) / ln(1.08::float8))
end::smallint;
comment on function afterpush.time_bucket is 'The logarithmic bucket of a duration; -2 for null, -1 for a negative one, 0 for zero.';

create function afterpush.bucket_seconds(bucket smallint) returns double precision
language sql immutable parallel safe
return case when bucket < 0 then case when bucket = -1 then 0.0 end when bucket = 0 then 0.0
    else power(1.08::float8, bucket - 0.5) / 1e6 end;
comment on function afterpush.bucket_seconds is 'The duration that a bucket stands for, in seconds; relative error at most 3.9 %.';

-- What one delivery contributes to rollup_deliveries and rollup_app_versions: a row under verified = false, and one
-- under true if it has a verified event. (Takes columns, not a row: the planner then reads them where they stand.)
create function afterpush.contributions(kinds integer, verified_kinds integer, actions afterpush.delivery_action[])
returns table (
    verified boolean, is_sent boolean, is_confirmed boolean, action_ids text[],
    failed integer, delivered integer, displayed integer, opened integer, replied integer, dismissed integer,
    read integer, responded integer, converted_events integer, replaced integer
)
language sql immutable
as $$
    select
        mode.verified,
        mode.bits & 1 <> 0,
        mode.bits & 4 <> 0,
        case
            when mode.bits & 192 = 0 then '{}'::text[]
            else array(
                select a.action_id
                from unnest(actions) as a
                where not mode.verified or a.verified_events > 0
            )
        end,
        -- Delivered: any of delivered displayed read opened action text_input dismissed media_played media_paused
        -- attachment_failed extension_expired. Failed: a failed event and none of these.
        (mode.bits & 2 <> 0 and mode.bits & 31228 = 0)::integer,
        (mode.bits & 31228 <> 0)::integer,
        (mode.bits & 8 <> 0)::integer,
        (mode.bits & 32 <> 0)::integer,
        (mode.bits & 128 <> 0)::integer,
        (mode.bits & 256 <> 0)::integer,
        (mode.bits & 16 <> 0)::integer,
        (mode.bits & 480 <> 0)::integer,
        (mode.bits & 512 <> 0)::integer,
        (mode.bits & 1024 <> 0 and mode.bits & 480 = 0)::integer
    from (values (false, kinds), (true, verified_kinds)) as mode (verified, bits)
    where mode.bits <> 0
$$;
comment on function afterpush.contributions is 'What one delivery adds to rollup_deliveries and rollup_app_versions.';

-- What one delivery contributes to rollup_actions.
create function afterpush.action_contributions(
    kinds integer, verified_kinds integer, actions afterpush.delivery_action[],
    reached_at timestamptz, verified_reached_at timestamptz
)
returns table (
    verified boolean, is_sent boolean, is_confirmed boolean, action_id text, bucket smallint, events integer
)
language sql immutable
as $$
    select
        mode.verified,
        mode.bits & 1 <> 0,
        mode.bits & 4 <> 0,
        a.action_id,
        afterpush.time_bucket(case when mode.verified then a.verified_first_at else a.first_at end - mode.reached_at),
        case when mode.verified then a.verified_events else a.events end
    from (values (false, kinds, reached_at), (true, verified_kinds, verified_reached_at))
        as mode (verified, bits, reached_at)
    cross join unnest(actions) as a
    where mode.bits <> 0
      and (not mode.verified or a.verified_events > 0)
$$;
comment on function afterpush.action_contributions is 'What one delivery adds to rollup_actions.';
