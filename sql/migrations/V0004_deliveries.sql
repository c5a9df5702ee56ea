-- Layer 2: one row per delivery, merged from its events by minima, bit-ors and sums, so that order, grouping and
-- repetition cannot matter.

-- The bit of a kind in `kinds`: 1 << its place in event_kind.
create function afterpush.kind_bit(kind afterpush.event_kind) returns integer
language sql immutable parallel safe
return case kind
    when 'sent' then 1
    when 'failed' then 2
    when 'delivered' then 4
    when 'displayed' then 8
    when 'read' then 16
    when 'opened' then 32
    when 'action' then 64
    when 'text_input' then 128
    when 'dismissed' then 256
    when 'converted' then 512
    when 'replaced' then 1024
    when 'media_played' then 2048
    when 'media_paused' then 4096
    when 'attachment_failed' then 8192
    when 'extension_expired' then 16384
    else 0
end;
comment on function afterpush.kind_bit is 'The bit of a kind in deliveries.kinds; 0 for kinds about the device alone.';

-- What is known of one action of one delivery. The verified_ fields speak of verified events only.
create type afterpush.delivery_action as (
    action_id text collate "C",
    first_at timestamptz,
    events integer,
    verified_first_at timestamptz,
    verified_events integer
);
comment on type afterpush.delivery_action is 'One action of one delivery: its earliest time and its number of events.';

-- One set of actions of a delivery: one element per action, earliest times, summed events, in byte order.
create function afterpush.merged_actions(told afterpush.delivery_action[])
returns afterpush.delivery_action[]
language sql immutable parallel safe
return (
    select array_agg(
        row(action_id, first_at, events, verified_first_at, verified_events)::afterpush.delivery_action
        order by action_id
    )
    from (
        select
            action_id,
            min(first_at) as first_at,
            sum(events)::integer as events,
            min(verified_first_at) as verified_first_at,
            sum(verified_events)::integer as verified_events
        from unnest(told) as t
        group by action_id
    ) as merged
);
comment on function afterpush.merged_actions is 'One set of actions of a delivery: one element per action, in byte order.';

create aggregate afterpush.concatenated(afterpush.delivery_action[]) (
    sfunc = array_cat,
    stype = afterpush.delivery_action[]
);
comment on aggregate afterpush.concatenated(afterpush.delivery_action[]) is 'Arrays of actions, one after another.';

-- A dimension is what the sends state, else the confirmations, else (of a delivery that has neither) other events:
-- its standing is 1, 2 or 3, and 4 while nothing states it. Lower standings win; within one, the smallest value.
create table afterpush.deliveries (
    delivery_id uuid primary key,
    app_id integer not null,
    kinds integer not null,
    verified_kinds integer not null,
    platform_standing smallint not null,
    app_version_standing smallint not null,
    campaign_standing smallint not null,
    category_standing smallint not null,
    category_version integer,
    first_event_at timestamptz not null,
    sent_at timestamptz,
    receipt_issued_at timestamptz,
    confirmed_at timestamptz,
    responded_at timestamptz,
    verified_sent_at timestamptz,
    verified_confirmed_at timestamptz,
    verified_responded_at timestamptz,
    notification_id text collate "C",
    device_id text collate "C",
    platform text collate "C",
    app_version text collate "C",
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    actions afterpush.delivery_action[]
) with (fillfactor = 80);
create index deliveries_device on afterpush.deliveries (app_id, device_id);
comment on table afterpush.deliveries is 'One row per delivery: one notification on one device, as a function of its stored events.';
comment on column afterpush.deliveries.delivery_id is 'As in events.';
comment on column afterpush.deliveries.app_id is 'The app.';
comment on column afterpush.deliveries.kinds is 'Bits of the kinds of its events (function kind_bit).';
comment on column afterpush.deliveries.verified_kinds is 'Bits of the kinds of its verified events.';
comment on column afterpush.deliveries.platform_standing is 'Who states the platform: 1 a send, 2 a confirmation, 3 another event, 4 nobody.';
comment on column afterpush.deliveries.app_version_standing is 'Who states the app version; see platform_standing.';
comment on column afterpush.deliveries.campaign_standing is 'Who states campaign and variant; see platform_standing.';
comment on column afterpush.deliveries.category_standing is 'Who states category and version; see platform_standing.';
comment on column afterpush.deliveries.category_version is 'Stated version of the category; null takes the one in force at the anchor''s hour.';
comment on column afterpush.deliveries.first_event_at is 'Earliest occurred_at of all its events.';
comment on column afterpush.deliveries.sent_at is 'Earliest occurred_at of its sent events.';
comment on column afterpush.deliveries.receipt_issued_at is 'Earliest issue time of the receipts that came back.';
comment on column afterpush.deliveries.confirmed_at is 'Earliest occurred_at of its delivered events.';
comment on column afterpush.deliveries.responded_at is 'Earliest occurred_at of its opens, actions, text inputs and dismissals.';
comment on column afterpush.deliveries.verified_sent_at is 'Like sent_at, of verified events.';
comment on column afterpush.deliveries.verified_confirmed_at is 'Like confirmed_at, of verified events.';
comment on column afterpush.deliveries.verified_responded_at is 'Like responded_at, of verified events.';
comment on column afterpush.deliveries.notification_id is 'The notification; null once its device was erased.';
comment on column afterpush.deliveries.device_id is 'The device; null once it was erased.';
comment on column afterpush.deliveries.platform is 'Platform, as known before anyone responded.';
comment on column afterpush.deliveries.app_version is 'Version of the app, as known before anyone responded.';
comment on column afterpush.deliveries.campaign_id is 'Campaign, as known before anyone responded.';
comment on column afterpush.deliveries.variant is 'Variant, taken together with campaign_id.';
comment on column afterpush.deliveries.category_id is 'Category, as known before anyone responded.';
comment on column afterpush.deliveries.actions is 'What was tapped or answered: action, earliest time, number of events.';

-- Anchor: the sent time, else the receipt's issue time, else the earliest event; rounded down to the hour.
create function afterpush.anchor_hour(sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz)
returns timestamptz
language sql immutable parallel safe
return date_trunc('hour', coalesce(sent_at, receipt_issued_at, first_event_at) at time zone 'UTC') at time zone 'UTC';
comment on function afterpush.anchor_hour is 'The hour that a delivery is selected and grouped by.';

-- Deliveries as their events tell them: of the batches in `only` (null: all) and not in `without` (null: none),
-- together with what the table already has of them if `with_stored`. A stored delivery tells in the same words as an
-- event, so there is one definition of merging, whatever comes first. Rows have the shape of deliveries.
create function afterpush.merged_deliveries("only" bigint[], without bigint[], with_stored boolean)
returns setof afterpush.deliveries
language sql stable
as $$
    with taken as materialized (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as standing
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
    )
    select
        delivery_id,
        app_id,
        kinds,
        verified_kinds,
        coalesce(platform[1]::smallint, 4::smallint),
        coalesce(app_version[1]::smallint, 4::smallint),
        coalesce(campaign[1]::smallint, 4::smallint),
        coalesce(category[1]::smallint, 4::smallint),
        category[3]::integer,
        first_event_at,
        sent_at,
        receipt_issued_at,
        confirmed_at,
        responded_at,
        verified_sent_at,
        verified_confirmed_at,
        verified_responded_at,
        notification_id,
        device_id,
        platform[2],
        app_version[2],
        campaign[2],
        campaign[3],
        category[2],
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            *,
            -- What other events state counts only while there is neither a send (1) nor a confirmation (4).
            case when kinds & 5 = 0 or told_platform[1] < '3' then told_platform end as platform,
            case when kinds & 5 = 0 or told_app_version[1] < '3' then told_app_version end as app_version,
            case when kinds & 5 = 0 or told_campaign[1] < '3' then told_campaign end as campaign,
            case when kinds & 5 = 0 or told_category[1] < '3' then told_category end as category
        from (
            select
                delivery_id,
                min(app_id) as app_id,
                bit_or(kinds) as kinds,
                bit_or(verified_kinds) as verified_kinds,
                min(platform) as told_platform,
                min(app_version) as told_app_version,
                min(campaign) as told_campaign,
                min(category) as told_category,
                min(first_event_at) as first_event_at,
                min(sent_at) as sent_at,
                min(receipt_issued_at) as receipt_issued_at,
                min(confirmed_at) as confirmed_at,
                min(responded_at) as responded_at,
                min(verified_sent_at) as verified_sent_at,
                min(verified_confirmed_at) as verified_confirmed_at,
                min(verified_responded_at) as verified_responded_at,
                min(notification_id) as notification_id,
                min(device_id) as device_id,
                afterpush.concatenated(actions) filter (where actions is not null) as actions
            from (
                select
                    delivery_id,
                    app_id,
                    bit as kinds,
                    case when verified then bit else 0 end as verified_kinds,
                    case when platform is not null then array[standing, platform] end as platform,
                    case when app_version is not null then array[standing, app_version] end as app_version,
                    case when campaign_id is not null then array[standing, campaign_id, variant] end as campaign,
                    case
                        when category_id is not null
                        then array[standing, category_id, lpad(category_version::text, 10, '0')]
                    end as category,
                    occurred_at as first_event_at,
                    case when bit = 1 then occurred_at end as sent_at,
                    receipt_issued_at,
                    case when bit = 4 then occurred_at end as confirmed_at,
                    case when bit & 480 <> 0 then occurred_at end as responded_at,
                    case when bit = 1 and verified then occurred_at end as verified_sent_at,
                    case when bit = 4 and verified then occurred_at end as verified_confirmed_at,
                    case when bit & 480 <> 0 and verified then occurred_at end as verified_responded_at,
                    notification_id,
                    device_id,
                    case
                        when bit & 192 <> 0
                        then array[row(
                            action_identifier, occurred_at, 1,
                            case when verified then occurred_at end, verified::integer
                        )::afterpush.delivery_action]
                    end as actions
                from taken
                union all
                select
                    delivery_id,
                    app_id,
                    kinds,
                    verified_kinds,
                    case when platform is not null then array[platform_standing::text, platform] end,
                    case when app_version is not null then array[app_version_standing::text, app_version] end,
                    case when campaign_id is not null then array[campaign_standing::text, campaign_id, variant] end,
                    case
                        when category_id is not null
                        then array[category_standing::text, category_id, lpad(category_version::text, 10, '0')]
                    end,
                    first_event_at,
                    sent_at,
                    receipt_issued_at,
                    confirmed_at,
                    responded_at,
                    verified_sent_at,
                    verified_confirmed_at,
                    verified_responded_at,
                    notification_id,
                    device_id,
                    actions
                from afterpush.deliveries
                where with_stored
                  and delivery_id = any (array(select delivery_id from taken))
            ) as told
            group by delivery_id
        ) as stated
    ) as known
$$;
comment on function afterpush.merged_deliveries is 'Deliveries as the events of some batches and, if asked for, the stored rows tell them.';
