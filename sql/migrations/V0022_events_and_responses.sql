-- Sums of two more things, kept by signed deltas like the others: events, by the hour in which they occurred, and responses,
-- by the time they took.

-- Hours and days, UTC, without looking at the session's zone: cheaper than date_trunc. The year 0 is before all RFC 3339
-- can say.
create function afterpush.hour_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 hour', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.hour_of is 'The start of the hour, UTC, that holds a time.';

create function afterpush.day_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 day', at, '0001-01-01 00:00:00+00 BC');
comment on function afterpush.day_of is 'The start of the day, UTC, that holds a time.';

-- Events by hour. A row has a column for each kind: a time series reads them all, and a row for each would be slower. Counts
-- of one hour are integers, which are summed faster.

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
    events integer not null,
    primary key (app_id, verified, campaign_id, event_hour, variant, category_id, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_events is 'Events of each kind by the hour they occurred in, and by their delivery''s dimensions.';
comment on column afterpush.rollup_events.app_id is 'The app.';
comment on column afterpush.rollup_events.verified is 'Whether only verified events are counted; each event stands under false, and under true if it is verified.';
comment on column afterpush.rollup_events.event_hour is 'Hour of occurred_at, UTC.';
comment on column afterpush.rollup_events.campaign_id is 'Campaign of the delivery; empty when unknown, and for events about the device alone.';
comment on column afterpush.rollup_events.variant is 'Variant of the delivery; see campaign_id.';
comment on column afterpush.rollup_events.category_id is 'Category of the delivery; see campaign_id.';
comment on column afterpush.rollup_events.platform is 'Platform of the delivery, or of the event if it is about the device alone; empty when unknown.';
comment on column afterpush.rollup_events.events is 'Number of events of all kinds.';

-- What most time series need, in few rows.
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
    events integer not null,
    primary key (app_id, verified, event_hour, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_event_hours is 'rollup_events summed over campaigns, variants and categories.';
comment on column afterpush.rollup_event_hours.app_id is 'The app.';
comment on column afterpush.rollup_event_hours.verified is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.event_hour is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.platform is 'As in rollup_events.';
comment on column afterpush.rollup_event_hours.events is 'Number of events of all kinds.';

do $$
declare
    name text;
    kind text;
begin
    foreach name in array array['rollup_events', 'rollup_event_hours'] loop
        foreach kind in array enum_range(null::afterpush.event_kind)::text[] loop
            execute format('comment on column afterpush.%I.%I is %L', name, kind, 'Number of events of the kind ' || kind || '.');
        end loop;
    end loop;
end
$$;

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
comment on type afterpush.event_count is 'How many events of a kind, and how many of them are verified, of an hour and some dimensions.';

create table afterpush.erased_events of afterpush.event_count (
    app_id not null,
    event_hour not null,
    events not null,
    verified_events not null,
    primary key (app_id, event_hour, campaign_id, variant, category_id, platform, kind)
);
comment on table afterpush.erased_events is 'How many events were erased with their device: they stay in the sums.';
comment on column afterpush.erased_events.app_id is 'The app.';
comment on column afterpush.erased_events.event_hour is 'As in rollup_events.';
comment on column afterpush.erased_events.campaign_id is 'As in rollup_events.';
comment on column afterpush.erased_events.variant is 'As in rollup_events.';
comment on column afterpush.erased_events.category_id is 'As in rollup_events.';
comment on column afterpush.erased_events.platform is 'As in rollup_events.';
comment on column afterpush.erased_events.kind is 'Their kind.';
comment on column afterpush.erased_events.events is 'How many.';
comment on column afterpush.erased_events.verified_events is 'How many of them were verified.';

-- Events as rollup_events counts them: those that are merged, under the names that their delivery has. Those about the
-- device alone have no delivery, so they have the platform that they state and no other dimension.
create view afterpush.merged_events as
select
    e.app_id,
    e.delivery_id,
    afterpush.hour_of(e.occurred_at) as event_hour,
    coalesce(d.campaign_id, '') as campaign_id,
    coalesce(d.variant, '') as variant,
    coalesce(d.category_id, '') as category_id,
    coalesce(case when e.kind < 'token_registered' then d.platform else e.platform end, '') as platform,
    e.kind,
    e.verified
from afterpush.events as e
join afterpush.batches as b using (batch_id)
left join afterpush.deliveries as d on d.delivery_id = e.delivery_id
where b.rolled_up_at is not null;
comment on view afterpush.merged_events is 'Merged events with the dimensions that rollup_events counts them under.';

-- Adds to the sums of events. Rows that nothing is left of go.
create function afterpush.add_event_counts(counts afterpush.event_count[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
    emptied_hours tid[];
begin
    with modes as (
        select app_id, false as verified, event_hour, campaign_id, variant, category_id, platform, kind, events
        from unnest(counts)
        union all
        select app_id, true, event_hour, campaign_id, variant, category_id, platform, kind, verified_events
        from unnest(counts)
        where verified_events <> 0
    ),
    change as materialized (
        select
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            coalesce(sum(events) filter (where kind = 'sent'), 0)::integer as sent,
            coalesce(sum(events) filter (where kind = 'failed'), 0)::integer as failed,
            coalesce(sum(events) filter (where kind = 'delivered'), 0)::integer as delivered,
            coalesce(sum(events) filter (where kind = 'displayed'), 0)::integer as displayed,
            coalesce(sum(events) filter (where kind = 'read'), 0)::integer as read,
            coalesce(sum(events) filter (where kind = 'opened'), 0)::integer as opened,
            coalesce(sum(events) filter (where kind = 'action'), 0)::integer as action,
            coalesce(sum(events) filter (where kind = 'text_input'), 0)::integer as text_input,
            coalesce(sum(events) filter (where kind = 'dismissed'), 0)::integer as dismissed,
            coalesce(sum(events) filter (where kind = 'converted'), 0)::integer as converted,
            coalesce(sum(events) filter (where kind = 'replaced'), 0)::integer as replaced,
            coalesce(sum(events) filter (where kind = 'media_played'), 0)::integer as media_played,
            coalesce(sum(events) filter (where kind = 'media_paused'), 0)::integer as media_paused,
            coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::integer as attachment_failed,
            coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::integer as extension_expired,
            coalesce(sum(events) filter (where kind = 'token_registered'), 0)::integer as token_registered,
            coalesce(sum(events) filter (where kind = 'token_failed'), 0)::integer as token_failed,
            coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::integer as permission_granted,
            coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::integer as permission_revoked,
            coalesce(sum(events) filter (where kind = 'app_opened'), 0)::integer as app_opened,
            sum(events)::integer as events
        from modes
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    by_dimension as (
        insert into afterpush.rollup_events as r (
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select *
        from change
        order by 1, 2, 4, 3, 5, 6, 7
        on conflict (app_id, verified, campaign_id, event_hour, variant, category_id, platform) do update set
            sent = r.sent + excluded.sent,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            read = r.read + excluded.read,
            opened = r.opened + excluded.opened,
            action = r.action + excluded.action,
            text_input = r.text_input + excluded.text_input,
            dismissed = r.dismissed + excluded.dismissed,
            converted = r.converted + excluded.converted,
            replaced = r.replaced + excluded.replaced,
            media_played = r.media_played + excluded.media_played,
            media_paused = r.media_paused + excluded.media_paused,
            attachment_failed = r.attachment_failed + excluded.attachment_failed,
            extension_expired = r.extension_expired + excluded.extension_expired,
            token_registered = r.token_registered + excluded.token_registered,
            token_failed = r.token_failed + excluded.token_failed,
            permission_granted = r.permission_granted + excluded.permission_granted,
            permission_revoked = r.permission_revoked + excluded.permission_revoked,
            app_opened = r.app_opened + excluded.app_opened,
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    ),
    by_hour as (
        insert into afterpush.rollup_event_hours as r (
            app_id, verified, event_hour, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select
            app_id, verified, event_hour, platform,
            sum(sent)::integer as sent,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            sum(displayed)::integer as displayed,
            sum(read)::integer as read,
            sum(opened)::integer as opened,
            sum(action)::integer as action,
            sum(text_input)::integer as text_input,
            sum(dismissed)::integer as dismissed,
            sum(converted)::integer as converted,
            sum(replaced)::integer as replaced,
            sum(media_played)::integer as media_played,
            sum(media_paused)::integer as media_paused,
            sum(attachment_failed)::integer as attachment_failed,
            sum(extension_expired)::integer as extension_expired,
            sum(token_registered)::integer as token_registered,
            sum(token_failed)::integer as token_failed,
            sum(permission_granted)::integer as permission_granted,
            sum(permission_revoked)::integer as permission_revoked,
            sum(app_opened)::integer as app_opened,
            sum(events)::integer as events
        from change
        group by 1, 2, 3, 4
        order by 1, 2, 3, 4
        on conflict (app_id, verified, event_hour, platform) do update set
            sent = r.sent + excluded.sent,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            read = r.read + excluded.read,
            opened = r.opened + excluded.opened,
            action = r.action + excluded.action,
            text_input = r.text_input + excluded.text_input,
            dismissed = r.dismissed + excluded.dismissed,
            converted = r.converted + excluded.converted,
            replaced = r.replaced + excluded.replaced,
            media_played = r.media_played + excluded.media_played,
            media_paused = r.media_paused + excluded.media_paused,
            attachment_failed = r.attachment_failed + excluded.attachment_failed,
            extension_expired = r.extension_expired + excluded.extension_expired,
            token_registered = r.token_registered + excluded.token_registered,
            token_failed = r.token_failed + excluded.token_failed,
            permission_granted = r.permission_granted + excluded.permission_granted,
            permission_revoked = r.permission_revoked + excluded.permission_revoked,
            app_opened = r.app_opened + excluded.app_opened,
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    )
    select
        (select array_agg(place) from by_dimension where events = 0),
        (select array_agg(place) from by_hour where events = 0)
    into emptied, emptied_hours;

    if emptied is not null then
        delete from afterpush.rollup_events where ctid = any (emptied);
    end if;
    if emptied_hours is not null then
        delete from afterpush.rollup_event_hours where ctid = any (emptied_hours);
    end if;
end
$$;
comment on function afterpush.add_event_counts is 'Adds to the sums of events.';

-- What changes because deliveries have other names now than in `before`: their events that are merged leave the old
-- ones and go to the new ones.
create type afterpush.delivery_names as (
    delivery_id uuid,
    campaign_id text collate "C",
    variant text collate "C",
    category_id text collate "C",
    platform text collate "C"
);
comment on type afterpush.delivery_names is 'The dimensions of a delivery that the sums of events know.';

create function afterpush.moved_event_counts(before afterpush.delivery_names[]) returns afterpush.event_count[]
language sql stable
as $$
    select array_agg(row(moving.*)::afterpush.event_count)
    from (
        select
            e.app_id, e.event_hour, side.campaign_id, side.variant, side.category_id, side.platform, e.kind,
            sum(side.sign)::bigint, coalesce(sum(side.sign) filter (where e.verified), 0)::bigint
        from unnest(before) as b
        join afterpush.merged_events as e using (delivery_id)
        -- What is sealed stays.
        join afterpush.rollup_worker as w on e.event_hour >= w.sealed_before
        cross join lateral (
            values
                (1, e.campaign_id, e.variant, e.category_id, e.platform),
                (
                    -1, coalesce(b.campaign_id, ''), coalesce(b.variant, ''), coalesce(b.category_id, ''),
                    coalesce(b.platform, '')
                )
        ) as side (sign, campaign_id, variant, category_id, platform)
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(side.sign) <> 0 or sum(side.sign) filter (where e.verified) <> 0
    ) as moving
$$;
comment on function afterpush.moved_event_counts is 'What changes in the sums of events because deliveries have other names now.';

-- To be called before events are erased together with their device, once they are merged: so that they stay in the sums.
create function afterpush.keep_event_counts(delivery_ids uuid[]) returns void
language sql
begin atomic
    insert into afterpush.erased_events as k
    select
        app_id, event_hour, campaign_id, variant, category_id, platform, kind,
        count(*), count(*) filter (where verified)
    from afterpush.merged_events
    where delivery_id = any (delivery_ids)
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (app_id, event_hour, campaign_id, variant, category_id, platform, kind) do update set
        events = k.events + excluded.events,
        verified_events = k.verified_events + excluded.verified_events;
end;
comment on function afterpush.keep_event_counts is 'Keeps events that are about to be erased in the sums.';

create view afterpush.expected_events as
with counts as (
    select
        app_id, event_hour, campaign_id, variant, category_id, platform, kind,
        count(*) as events, count(*) filter (where verified) as verified_events
    from afterpush.merged_events
    group by 1, 2, 3, 4, 5, 6, 7
    union all
    select * from afterpush.erased_events
),
modes as (
    select app_id, false as verified, event_hour, campaign_id, variant, category_id, platform, kind, events
    from counts
    union all
    select app_id, true, event_hour, campaign_id, variant, category_id, platform, kind, verified_events
    from counts
    where verified_events <> 0
)
select
    app_id, verified, event_hour, campaign_id, variant, category_id, platform,
    coalesce(sum(events) filter (where kind = 'sent'), 0)::integer as sent,
    coalesce(sum(events) filter (where kind = 'failed'), 0)::integer as failed,
    coalesce(sum(events) filter (where kind = 'delivered'), 0)::integer as delivered,
    coalesce(sum(events) filter (where kind = 'displayed'), 0)::integer as displayed,
    coalesce(sum(events) filter (where kind = 'read'), 0)::integer as read,
    coalesce(sum(events) filter (where kind = 'opened'), 0)::integer as opened,
    coalesce(sum(events) filter (where kind = 'action'), 0)::integer as action,
    coalesce(sum(events) filter (where kind = 'text_input'), 0)::integer as text_input,
    coalesce(sum(events) filter (where kind = 'dismissed'), 0)::integer as dismissed,
    coalesce(sum(events) filter (where kind = 'converted'), 0)::integer as converted,
    coalesce(sum(events) filter (where kind = 'replaced'), 0)::integer as replaced,
    coalesce(sum(events) filter (where kind = 'media_played'), 0)::integer as media_played,
    coalesce(sum(events) filter (where kind = 'media_paused'), 0)::integer as media_paused,
    coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::integer as attachment_failed,
    coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::integer as extension_expired,
    coalesce(sum(events) filter (where kind = 'token_registered'), 0)::integer as token_registered,
    coalesce(sum(events) filter (where kind = 'token_failed'), 0)::integer as token_failed,
    coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::integer as permission_granted,
    coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::integer as permission_revoked,
    coalesce(sum(events) filter (where kind = 'app_opened'), 0)::integer as app_opened,
    sum(events)::integer as events
from modes
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.expected_events is 'What rollup_events must hold: all merged events.';

create view afterpush.summed_event_hours as
select
    app_id, verified, event_hour, platform,
    sum(sent)::integer as sent,
    sum(failed)::integer as failed,
    sum(delivered)::integer as delivered,
    sum(displayed)::integer as displayed,
    sum(read)::integer as read,
    sum(opened)::integer as opened,
    sum(action)::integer as action,
    sum(text_input)::integer as text_input,
    sum(dismissed)::integer as dismissed,
    sum(converted)::integer as converted,
    sum(replaced)::integer as replaced,
    sum(media_played)::integer as media_played,
    sum(media_paused)::integer as media_paused,
    sum(attachment_failed)::integer as attachment_failed,
    sum(extension_expired)::integer as extension_expired,
    sum(token_registered)::integer as token_registered,
    sum(token_failed)::integer as token_failed,
    sum(permission_granted)::integer as permission_granted,
    sum(permission_revoked)::integer as permission_revoked,
    sum(app_opened)::integer as app_opened,
    sum(events)::integer as events
from afterpush.rollup_events
group by 1, 2, 3, 4;
comment on view afterpush.summed_event_hours is 'What rollup_event_hours must hold: the sum over rollup_events.';

-- Responses by the time they took.

create table afterpush.rollup_responses (
    app_id integer not null,
    anchor_hour timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    app_version text collate "C" not null,
    bucket smallint not null,
    deliveries integer not null,
    verified_deliveries integer not null,
    primary key (app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket)
) with (fillfactor = 80);
comment on table afterpush.rollup_responses is 'Deliveries that were responded to, by the time to the first response.';
comment on column afterpush.rollup_responses.app_id is 'The app.';
comment on column afterpush.rollup_responses.anchor_hour is 'Hour of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_responses.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_responses.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_responses.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_responses.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_responses.app_version is 'Version of the app; empty when unknown.';
comment on column afterpush.rollup_responses.bucket is 'Time from the confirmation, else the send, to the first response (function time_bucket); -2 when neither is known, -1 when negative.';
comment on column afterpush.rollup_responses.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_responses.verified_deliveries is 'Number of deliveries by their verified events alone, whose time may be another.';

-- The same by day and without the app's version, for what asks for neither: a third of the rows.
create table afterpush.rollup_response_days (
    app_id integer not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    bucket smallint not null,
    deliveries integer not null,
    verified_deliveries integer not null,
    primary key (app_id, anchor_day, campaign_id, variant, category_id, platform, bucket)
) with (fillfactor = 80);
comment on table afterpush.rollup_response_days is 'rollup_responses summed over the hours of a day and versions of the app.';
comment on column afterpush.rollup_response_days.app_id is 'The app.';
comment on column afterpush.rollup_response_days.anchor_day is 'Day of the deliveries'' anchor, UTC.';
comment on column afterpush.rollup_response_days.campaign_id is 'Campaign; empty when unknown.';
comment on column afterpush.rollup_response_days.variant is 'Variant; empty when unknown.';
comment on column afterpush.rollup_response_days.category_id is 'Category; empty when unknown.';
comment on column afterpush.rollup_response_days.platform is 'Platform; empty when unknown.';
comment on column afterpush.rollup_response_days.bucket is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.deliveries is 'As in rollup_responses.';
comment on column afterpush.rollup_response_days.verified_deliveries is 'As in rollup_responses.';

create or replace view afterpush.keyed_deliveries as
select
    app_id,
    afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
    coalesce(app_version, '') as app_version,
    coalesce(campaign_id, '') as campaign_id,
    coalesce(variant, '') as variant,
    coalesce(category_id, '') as category_id,
    coalesce(category_version, 0) as category_version,
    coalesce(platform, '') as platform,
    kinds,
    verified_kinds,
    actions,
    coalesce(confirmed_at, sent_at) as reached_at,
    coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at,
    responded_at,
    verified_responded_at
from afterpush.deliveries;

create view afterpush.expected_responses as
select
    app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
    sum(deliveries)::integer as deliveries,
    sum(verified_deliveries)::integer as verified_deliveries
from (
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
        afterpush.time_bucket(responded_at - reached_at) as bucket, 1 as deliveries, 0 as verified_deliveries
    from afterpush.keyed_deliveries
    where responded_at is not null
    union all
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version,
        afterpush.time_bucket(verified_responded_at - verified_reached_at), 0, 1
    from afterpush.keyed_deliveries
    where verified_responded_at is not null
) as modes
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.expected_responses is 'What rollup_responses must hold: the sum over all deliveries.';

create view afterpush.summed_response_days as
select
    app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
    sum(deliveries)::integer as deliveries,
    sum(verified_deliveries)::integer as verified_deliveries
from afterpush.rollup_responses
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.summed_response_days is 'What rollup_response_days must hold: the sum over rollup_responses.';

-- Deliveries by day.

-- rollup_deliveries for what asks for no hours: a fifth of its rows, where campaigns are sent within hours.
create table afterpush.rollup_delivery_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
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
    primary key (
        app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions
    )
) with (fillfactor = 80);
comment on table afterpush.rollup_delivery_days is 'rollup_deliveries summed over the hours of a day.';
comment on column afterpush.rollup_delivery_days.anchor_day is 'Day of the deliveries'' anchor, UTC.';
do $$
declare
    name text;
begin
    foreach name in array array[
        'app_id', 'verified', 'campaign_id', 'variant', 'category_id', 'category_version', 'platform', 'is_sent',
        'is_confirmed', 'actions', 'deliveries', 'failed', 'delivered', 'displayed', 'opened', 'replied', 'dismissed',
        'read', 'responded', 'converted_events', 'replaced'
    ] loop
        execute format('comment on column afterpush.rollup_delivery_days.%I is %L', name, 'As in rollup_deliveries.');
    end loop;
end
$$;

create view afterpush.summed_delivery_days as
select
    app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
    platform, is_sent, is_confirmed, actions,
    sum(deliveries)::integer as deliveries,
    sum(failed)::integer as failed,
    sum(delivered)::integer as delivered,
    sum(displayed)::integer as displayed,
    sum(opened)::integer as opened,
    sum(replied)::integer as replied,
    sum(dismissed)::integer as dismissed,
    sum(read)::integer as read,
    sum(responded)::integer as responded,
    sum(converted_events)::integer as converted_events,
    sum(replaced)::integer as replaced
from afterpush.rollup_deliveries
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
comment on view afterpush.summed_delivery_days is 'What rollup_delivery_days must hold: the sum over rollup_deliveries.';

-- Merging. What changes: the events of a delivery are taken together first, and what is stored of it is read once, beside
-- them, and changed in place. Deliveries are counted by all that the rollups ask for before anything is derived from it.

create type afterpush.told_delivery as (
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
comment on type afterpush.told_delivery is 'What events tell of a delivery: each dimension with its standing as one text (function told), and hour and kind of each event (its bit, twice, and one more if it is verified).';

-- Deliveries as the events of the batches in `only` (null: all) and not in `without` (null: none) tell them.
create function afterpush.told_deliveries("only" bigint[], without bigint[]) returns setof afterpush.told_delivery
language sql stable
as $$
    select
        delivery_id,
        min(app_id),
        bit_or(bit),
        bit_or(case when verified then bit else 0 end),
        min((standing || platform) collate "C"),
        min((standing || app_version) collate "C"),
        min(afterpush.told(standing, campaign_id, variant) collate "C"),
        min(afterpush.told(standing, category_id, lpad(category_version::text, 10, '0')) collate "C"),
        min(occurred_at),
        min(occurred_at) filter (where bit = 1),
        min(receipt_issued_at),
        min(occurred_at) filter (where bit = 4),
        min(occurred_at) filter (where bit & 480 <> 0),
        min(occurred_at) filter (where verified and bit = 1),
        min(occurred_at) filter (where verified and bit = 4),
        min(occurred_at) filter (where verified and bit & 480 <> 0),
        min(notification_id),
        min(device_id),
        array_agg(row(
            action_identifier, occurred_at, 1, case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where bit & 192 <> 0),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(bit * 2 + verified::integer)
    from (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as standing
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
    ) as taken
    group by delivery_id
$$;
comment on function afterpush.told_deliveries is 'Deliveries as the events of some batches tell them.';

-- What a told dimension says: nothing, where only other events (3) state it of a delivery that was sent (1) or confirmed (4).
create function afterpush.heard(told text, kinds integer) returns text
language sql immutable parallel safe
return case when kinds & 5 = 0 or ascii(told) < 51 then told end;
comment on function afterpush.heard is 'A told dimension, unless it does not count.';

create function afterpush.told_standing(told text) returns smallint
language sql immutable parallel safe
return coalesce(ascii(told) - 48, 4)::smallint;
comment on function afterpush.told_standing is 'The standing of a told dimension: 4 where nothing states it.';

-- As before, and for less.
create or replace function afterpush.told_value(told text) returns text
language sql immutable parallel safe
return replace(substr(split_part(told, E'\x01\x01', 1), 2), E'\x01\x02', E'\x01');
create or replace function afterpush.told_rest(told text) returns text
language sql immutable parallel safe
return case when ascii(split_part(told, E'\x01\x01', 2)) = 48 then substr(told, strpos(told, E'\x01\x01') + 3) end;

-- Without stored rows: what roll_up merges with them by the same rules, least and earliest, is the same as all events at
-- once (rollup_verify holds it to that).
drop function afterpush.merged_deliveries;
create function afterpush.merged_deliveries("only" bigint[], without bigint[]) returns setof afterpush.deliveries
language sql stable
as $$
    select
        delivery_id, app_id, kinds, verified_kinds,
        afterpush.told_standing(platform), afterpush.told_standing(app_version),
        afterpush.told_standing(campaign), afterpush.told_standing(category),
        afterpush.told_rest(category)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
        substr(platform, 2), substr(app_version, 2),
        afterpush.told_value(campaign), afterpush.told_rest(campaign), afterpush.told_value(category),
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            delivery_id, app_id, kinds, verified_kinds,
            afterpush.heard(platform, kinds) as platform,
            afterpush.heard(app_version, kinds) as app_version,
            afterpush.heard(campaign, kinds) as campaign,
            afterpush.heard(category, kinds) as category,
            first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
            verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, actions
        from afterpush.told_deliveries("only", without)
        offset 0
    ) as t
$$;
comment on function afterpush.merged_deliveries is 'Deliveries as the events of some batches tell them.';

-- The actions of a delivery as the rollups count them: action by action, the bucket of its time and how often it was taken.
create type afterpush.timed_actions as (
    action_ids text[] collate "C",
    buckets smallint[],
    events integer[],
    verified_buckets smallint[],
    verified_events integer[]
);
comment on type afterpush.timed_actions is 'The actions of a delivery as rollups count them.';

-- Takes the oldest batches that are not rolled up, up to about `max_events` events, merges them into deliveries and
-- adds what changed to the rollups. Returns the number of events merged: 0 when none waits, null when another worker is
-- at it.
create or replace function afterpush.roll_up(max_events integer) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- A plan for any batches would take twice as long to run as this one takes to make.
set plan_cache_mode = force_custom_plan
set jit = off
set work_mem = '64MB'
-- A group's memory is estimated at tens of kilobytes, for its arrays; it takes less than two.
set hash_mem_multiplier = 32
as $$
declare
    taken bigint[];
    taken_events bigint;
    emptied timestamptz[];
    emptied_responses tid[];
    emptied_response_days tid[];
    emptied_days tid[];
    moved afterpush.delivery_names[];
    counts afterpush.event_count[];
    sealed timestamptz;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id), sum(events)
    into taken, taken_events
    from (
        select batch_id, events, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events;
    if taken is null then
        return 0;
    end if;

    with merged as materialized (
        select
            *,
            afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            substr(told_platform, 2) as platform,
            substr(told_app_version, 2) as app_version,
            afterpush.told_value(told_campaign) as campaign_id,
            afterpush.told_rest(told_campaign) as variant,
            afterpush.told_value(told_category) as category_id,
            afterpush.told_rest(told_category)::integer as category_version
        from (
            select
                d.ctid as place,
                d.delivery_id is not null and sealed > '-infinity'
                    and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                    and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
                as is_frozen,
                t.delivery_id,
                t.app_id,
                t.kinds | coalesce(d.kinds, 0) as kinds,
                t.verified_kinds | coalesce(d.verified_kinds, 0) as verified_kinds,
                afterpush.heard(
                    least(t.platform, d.platform_standing || d.platform), t.kinds | coalesce(d.kinds, 0)
                ) as told_platform,
                afterpush.heard(
                    least(t.app_version, d.app_version_standing || d.app_version), t.kinds | coalesce(d.kinds, 0)
                ) as told_app_version,
                afterpush.heard(
                    least(t.campaign, afterpush.told(d.campaign_standing::text, d.campaign_id, d.variant)),
                    t.kinds | coalesce(d.kinds, 0)
                ) as told_campaign,
                afterpush.heard(
                    least(
                        t.category,
                        afterpush.told(d.category_standing::text, d.category_id, lpad(d.category_version::text, 10, '0'))
                    ),
                    t.kinds | coalesce(d.kinds, 0)
                ) as told_category,
                least(t.first_event_at, d.first_event_at) as first_event_at,
                least(t.sent_at, d.sent_at) as sent_at,
                least(t.receipt_issued_at, d.receipt_issued_at) as receipt_issued_at,
                least(t.confirmed_at, d.confirmed_at) as confirmed_at,
                least(t.responded_at, d.responded_at) as responded_at,
                least(t.verified_sent_at, d.verified_sent_at) as verified_sent_at,
                least(t.verified_confirmed_at, d.verified_confirmed_at) as verified_confirmed_at,
                least(t.verified_responded_at, d.verified_responded_at) as verified_responded_at,
                t.notification_id,
                t.device_id,
                case
                    when t.actions is null then d.actions
                    when d.actions is null and cardinality(t.actions) = 1 then t.actions
                    else afterpush.merged_actions(t.actions || d.actions)
                end as actions,
                t.event_hours,
                t.event_kinds,
                d.kinds as old_kinds,
                d.verified_kinds as old_verified_kinds,
                afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_hour,
                d.responded_at as old_responded_at,
                d.verified_responded_at as old_verified_responded_at,
                coalesce(d.confirmed_at, d.sent_at) as old_reached_at,
                coalesce(d.verified_confirmed_at, d.verified_sent_at) as old_verified_reached_at,
                d.platform as old_platform,
                d.app_version as old_app_version,
                d.campaign_id as old_campaign_id,
                d.variant as old_variant,
                d.category_id as old_category_id,
                d.category_version as old_category_version,
                d.actions as old_actions
            from afterpush.told_deliveries(taken, null) as t
            left join afterpush.deliveries as d on d.delivery_id = t.delivery_id
            -- So that each expression is worked out once.
            offset 0
        ) as met
    ),
    -- A delivery of a sealed hour stays as it is, and so does what was counted of it: it is frozen. One that only comes to
    -- be in such an hour is kept, and not counted.
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id
        from merged
        where sealed > '-infinity'
          and anchor_hour < sealed
          and not is_frozen
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries (
            delivery_id, app_id, kinds, verified_kinds, platform_standing, app_version_standing, campaign_standing,
            category_standing, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at,
            responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
            platform, app_version, campaign_id, variant, category_id, actions
        )
        select
            delivery_id, app_id, kinds, verified_kinds, afterpush.told_standing(told_platform),
            afterpush.told_standing(told_app_version), afterpush.told_standing(told_campaign),
            afterpush.told_standing(told_category), category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id,
            device_id, platform, app_version, campaign_id, variant, category_id, actions
        from merged
        where place is null
        order by delivery_id
    ),
    -- The worker alone writes deliveries, so each is where it was found.
    updated as (
        update afterpush.deliveries as d
        set kinds = merged.kinds,
            verified_kinds = merged.verified_kinds,
            platform_standing = afterpush.told_standing(told_platform),
            app_version_standing = afterpush.told_standing(told_app_version),
            campaign_standing = afterpush.told_standing(told_campaign),
            category_standing = afterpush.told_standing(told_category),
            category_version = merged.category_version,
            first_event_at = merged.first_event_at,
            sent_at = merged.sent_at,
            receipt_issued_at = merged.receipt_issued_at,
            confirmed_at = merged.confirmed_at,
            responded_at = merged.responded_at,
            verified_sent_at = merged.verified_sent_at,
            verified_confirmed_at = merged.verified_confirmed_at,
            verified_responded_at = merged.verified_responded_at,
            platform = merged.platform,
            app_version = merged.app_version,
            campaign_id = merged.campaign_id,
            variant = merged.variant,
            category_id = merged.category_id,
            actions = merged.actions
        from merged
        where place is not null
          and not is_frozen
          and d.ctid = place
    ),
    -- What the touched deliveries add now, less what they added before. Most look like many others: they are counted
    -- before anything is derived.
    shapes as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
            verified_kinds,
            case when responded_at is not null then afterpush.time_bucket(responded_at - reached_at) end as bucket,
            case
                when verified_responded_at is not null
                then afterpush.time_bucket(verified_responded_at - verified_reached_at)
            end as verified_bucket,
            case
                when cardinality(actions) = 1
                then row(
                    array[(actions[1]).action_id],
                    array[afterpush.time_bucket((actions[1]).first_at - reached_at)],
                    array[(actions[1]).events],
                    array[afterpush.time_bucket((actions[1]).verified_first_at - verified_reached_at)],
                    array[(actions[1]).verified_events]
                )::afterpush.timed_actions
                when actions is not null
                then (
                    select
                        row(
                            array_agg(a.action_id),
                            array_agg(afterpush.time_bucket(a.first_at - reached_at)),
                            array_agg(a.events),
                            array_agg(afterpush.time_bucket(a.verified_first_at - verified_reached_at)),
                            array_agg(a.verified_events)
                        )::afterpush.timed_actions
                    from unnest(actions) as a
                )
            end as actions,
            sum(sign) as deliveries
        from (
            select
                1 as sign, app_id, anchor_hour, coalesce(app_version, '') as app_version,
                coalesce(campaign_id, '') as campaign_id, coalesce(variant, '') as variant,
                coalesce(category_id, '') as category_id, coalesce(category_version, 0) as category_version,
                coalesce(platform, '') as platform, kinds, verified_kinds, actions, responded_at,
                verified_responded_at, coalesce(confirmed_at, sent_at) as reached_at,
                coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at
            from merged
            where sealed = '-infinity'
               or anchor_hour >= sealed and not is_frozen
            union all
            select
                -1, app_id, old_anchor_hour, coalesce(old_app_version, ''), coalesce(old_campaign_id, ''),
                coalesce(old_variant, ''), coalesce(old_category_id, ''), coalesce(old_category_version, 0),
                coalesce(old_platform, ''), old_kinds, old_verified_kinds, old_actions, old_responded_at,
                old_verified_responded_at, old_reached_at, old_verified_reached_at
            from merged
            where place is not null
              and (sealed = '-infinity' or old_anchor_hour >= sealed and not is_frozen)
        ) as keyed
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        having sum(sign) <> 0
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, action_ids as actions,
            sum(deliveries) as deliveries,
            sum(deliveries * failed) as failed,
            sum(deliveries * delivered) as delivered,
            sum(deliveries * displayed) as displayed,
            sum(deliveries * opened) as opened,
            sum(deliveries * replied) as replied,
            sum(deliveries * dismissed) as dismissed,
            sum(deliveries * read) as read,
            sum(deliveries * responded) as responded,
            sum(deliveries * converted_events) as converted_events,
            sum(deliveries * replaced) as replaced
        from (
            select
                shapes.*, false as verified, kinds as bits,
                coalesce((actions).action_ids, '{}') as action_ids
            from shapes
            union all
            select
                shapes.*, true, verified_kinds,
                array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                )
            from shapes
            where verified_kinds <> 0
        ) as modes
        cross join lateral afterpush.states(bits)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ),
    by_app_version as (
        insert into afterpush.rollup_app_versions as r (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        from change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    by_dimension as (
        insert into afterpush.rollup_deliveries as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    action_change as materialized (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            bits & 1 <> 0 as is_sent, bits & 4 <> 0 as is_confirmed, action_id, bucket,
            sum(deliveries) as deliveries, sum(deliveries * events) as events
        from (
            select
                false as verified, kinds as bits, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
                as a (action_id, bucket, events)
            where s.actions is not null
            union all
            select
                true, s.verified_kinds, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
                as a (action_id, bucket, events)
            where s.actions is not null
              and s.verified_kinds <> 0
              and a.events > 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(deliveries) <> 0 or sum(deliveries * events) <> 0
    ),
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select *
        from action_change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.anchor_hour, r.deliveries
    ),
    response_change as materialized (
        select
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            sum(deliveries) as deliveries, sum(verified_deliveries) as verified_deliveries
        from (
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
                deliveries, 0 as verified_deliveries
            from shapes
            where bucket is not null
            union all
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, verified_bucket,
                0, deliveries
            from shapes
            where verified_bucket is not null
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(deliveries) <> 0 or sum(verified_deliveries) <> 0
    ),
    by_response as (
        insert into afterpush.rollup_responses as r (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            deliveries, verified_deliveries
        )
        select *
        from response_change
        order by 1, 2, 3, 4, 5, 6, 7, 8
        on conflict (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_response_day as (
        insert into afterpush.rollup_response_days as r (
            app_id, anchor_day, campaign_id, variant, category_id, platform, bucket, deliveries, verified_deliveries
        )
        select
            app_id, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, platform, bucket,
            sum(deliveries), sum(verified_deliveries)
        from response_change
        group by 1, 2, 3, 4, 5, 6, 7
        order by 1, 2, 3, 4, 5, 6, 7
        on conflict (
            app_id, anchor_day, campaign_id, variant, category_id, platform, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_day as (
        insert into afterpush.rollup_delivery_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version,
            platform, is_sent, is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed),
            sum(opened), sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.ctid as place, r.deliveries
    ),
    -- Events are counted under the names that their delivery has now; those about a device alone have their platform only.
    event_shapes as materialized (
        select
            app_id,
            coalesce(case when is_frozen then old_campaign_id else campaign_id end, '') as campaign_id,
            coalesce(case when is_frozen then old_variant else variant end, '') as variant,
            coalesce(case when is_frozen then old_category_id else category_id end, '') as category_id,
            coalesce(case when is_frozen then old_platform else platform end, '') as platform,
            event_hours, event_kinds, count(*) as deliveries
        from merged
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    event_change as (
        select
            app_id, event_hour, campaign_id, variant, category_id, platform, kind,
            sum(events)::bigint as events, coalesce(sum(events) filter (where verified), 0)::bigint as verified_events
        from (
            select
                s.app_id, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform, k.kind,
                e.code & 1 = 1 as verified, s.deliveries as events
            from event_shapes as s
            cross join unnest(s.event_hours, s.event_kinds) as e (hour, code)
            join unnest(enum_range('sent'::afterpush.event_kind, 'extension_expired')) as k (kind)
                on afterpush.kind_bit(k.kind) = e.code >> 1
            union all
            select app_id, afterpush.hour_of(occurred_at), '', '', '', coalesce(platform, ''), kind, verified, 1
            from afterpush.events
            where batch_id = any (taken)
              and kind >= 'token_registered'
        ) as told_events
        group by 1, 2, 3, 4, 5, 6, 7
    )
    select
        (
            select array_agg(distinct anchor_hour)
            from (
                select anchor_hour, deliveries from by_app_version
                union all select anchor_hour, deliveries from by_dimension
                union all select anchor_hour, deliveries from by_action
            ) as r
            where deliveries = 0
        ),
        (select array_agg(place) from by_response where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_response_day where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_day where deliveries = 0),
        (
            select array_agg(row(e.*)::afterpush.event_count)
            from event_change as e
        ),
        -- Deliveries under other names than before.
        (
            select array_agg(row(
                delivery_id, old_campaign_id, old_variant, old_category_id, old_platform
            )::afterpush.delivery_names)
            from merged
            where place is not null
              and not is_frozen
              and (
                  old_campaign_id is distinct from campaign_id
                  or old_variant is distinct from variant
                  or old_category_id is distinct from category_id
                  or old_platform is distinct from platform
              )
        )
    into emptied, emptied_responses, emptied_response_days, emptied_days, counts, moved;

    if moved is not null then
        counts := counts || afterpush.moved_event_counts(moved);
    end if;
    if sealed > '-infinity' then
        counts := array(select c from unnest(counts) as c where c.event_hour >= sealed);
    end if;
    perform afterpush.add_event_counts(counts);

    -- A row that nothing is left of goes, so that tables equal the sum over all deliveries, row for row.
    if emptied is not null then
        delete from afterpush.rollup_app_versions
        using afterpush.apps
        where rollup_app_versions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_deliveries
        using afterpush.apps
        where rollup_deliveries.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_actions
        using afterpush.apps
        where rollup_actions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
    end if;

    if emptied_responses is not null then
        delete from afterpush.rollup_responses where ctid = any (emptied_responses);
    end if;
    if emptied_response_days is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied_response_days);
    end if;
    if emptied_days is not null then
        delete from afterpush.rollup_delivery_days where ctid = any (emptied_days);
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (taken);
    return taken_events;
end
$$;

-- As before, with the rollups of this migration.
create or replace function afterpush.rollup_rebuild() returns void
language plpgsql
as $$
declare
    sealed timestamptz;
    waiting bigint[];
begin
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;

    create temporary table rebuilt on commit drop as
    select m.* from afterpush.merged_deliveries(null, waiting) as m
    where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
      -- Of a delivery of a sealed hour some events may be gone.
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = m.delivery_id
            and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
            and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
      );
    alter table rebuilt add primary key (delivery_id);

    delete from afterpush.deliveries as d
    where not exists (select from rebuilt where rebuilt.delivery_id = d.delivery_id)
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
      and d.device_id is not null;
    insert into afterpush.deliveries as d
    select * from rebuilt
    order by delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_standing = excluded.platform_standing,
        app_version_standing = excluded.app_version_standing,
        campaign_standing = excluded.campaign_standing,
        category_standing = excluded.category_standing,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        actions = excluded.actions
    where d is distinct from excluded;

    delete from afterpush.rollup_app_versions where anchor_hour >= sealed;
    delete from afterpush.rollup_deliveries where anchor_hour >= sealed;
    delete from afterpush.rollup_actions where anchor_hour >= sealed;
    insert into afterpush.rollup_app_versions select * from afterpush.expected_app_versions where anchor_hour >= sealed;
    insert into afterpush.rollup_deliveries select * from afterpush.expected_deliveries where anchor_hour >= sealed;
    insert into afterpush.rollup_actions select * from afterpush.expected_actions where anchor_hour >= sealed;

    delete from afterpush.rollup_events where event_hour >= sealed;
    delete from afterpush.rollup_event_hours where event_hour >= sealed;
    delete from afterpush.rollup_responses where anchor_hour >= sealed;
    delete from afterpush.rollup_response_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_delivery_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_events select * from afterpush.expected_events where event_hour >= sealed;
    insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours where event_hour >= sealed;
    insert into afterpush.rollup_responses select * from afterpush.expected_responses where anchor_hour >= sealed;
    -- The day that holds the seal is the sum of hours on both sides of it.
    insert into afterpush.rollup_delivery_days
    select * from afterpush.summed_delivery_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_response_days
    select * from afterpush.summed_response_days where anchor_day >= afterpush.day_of(sealed);
end
$$;

create or replace function afterpush.rollup_verify()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    ),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    told as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids) as m
    )
    select 'deliveries', coalesce(told.delivery_id, d.delivery_id)::text
    from told
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where told is distinct from d
      and case
          when d.delivery_id is not null
          then afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at)
          else afterpush.anchor_hour(told.sent_at, told.receipt_issued_at, told.first_event_at)
      end >= sealed.hour
      and (d.delivery_id is null or d.device_id is not null)
    union all
    select 'rollup_app_versions', difference::text
    from (
        (select * from afterpush.rollup_app_versions except all select * from afterpush.expected_app_versions)
        union all
        (select * from afterpush.expected_app_versions except all select * from afterpush.rollup_app_versions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_deliveries', difference::text
    from (
        (select * from afterpush.rollup_deliveries except all select * from afterpush.expected_deliveries)
        union all
        (select * from afterpush.expected_deliveries except all select * from afterpush.rollup_deliveries)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_actions', difference::text
    from (
        (select * from afterpush.rollup_actions except all select * from afterpush.expected_actions)
        union all
        (select * from afterpush.expected_actions except all select * from afterpush.rollup_actions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_events', difference::text
    from (
        (select * from afterpush.rollup_events except all select * from afterpush.expected_events)
        union all
        (select * from afterpush.expected_events except all select * from afterpush.rollup_events)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_event_hours', difference::text
    from (
        (select * from afterpush.rollup_event_hours except all select * from afterpush.summed_event_hours)
        union all
        (select * from afterpush.summed_event_hours except all select * from afterpush.rollup_event_hours)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_responses', difference::text
    from (
        (select * from afterpush.rollup_responses except all select * from afterpush.expected_responses)
        union all
        (select * from afterpush.expected_responses except all select * from afterpush.rollup_responses)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_delivery_days', difference::text
    from (
        (select * from afterpush.rollup_delivery_days except all select * from afterpush.summed_delivery_days)
        union all
        (select * from afterpush.summed_delivery_days except all select * from afterpush.rollup_delivery_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_response_days', difference::text
    from (
        (select * from afterpush.rollup_response_days except all select * from afterpush.summed_response_days)
        union all
        (select * from afterpush.summed_response_days except all select * from afterpush.rollup_response_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
$$;

-- Who may do what.

do $$
declare
    name text;
begin
    foreach name in array array[
        'rollup_events', 'rollup_event_hours', 'erased_events', 'rollup_responses', 'rollup_response_days',
        'rollup_delivery_days'
    ]
    loop
        execute format('alter table afterpush.%I enable row level security', name);
        execute format(
            'create policy report on afterpush.%I for select to afterpush_report
             using (app_id = (select afterpush.report_app()))', name
        );
        execute format(
            'create policy serve on afterpush.%I to afterpush_worker using (true) with check (true)', name
        );
        execute format('grant select, insert, update, delete on afterpush.%I to afterpush_worker', name);
    end loop;
end
$$;
grant select on afterpush.rollup_events, afterpush.rollup_event_hours, afterpush.rollup_responses,
    afterpush.rollup_response_days, afterpush.rollup_delivery_days to afterpush_report;
grant select on afterpush.merged_events to afterpush_worker;
grant execute on function afterpush.hour_of, afterpush.day_of, afterpush.told_deliveries, afterpush.merged_deliveries,
    afterpush.heard, afterpush.told_standing, afterpush.add_event_counts,
    afterpush.moved_event_counts, afterpush.keep_event_counts to afterpush_worker;
grant execute on function afterpush.hour_of, afterpush.day_of to afterpush_report;

-- What is stored already is counted; what waits is counted when it is merged.
insert into afterpush.rollup_events select * from afterpush.expected_events;
insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours;
insert into afterpush.rollup_responses select * from afterpush.expected_responses;
insert into afterpush.rollup_response_days select * from afterpush.summed_response_days;
insert into afterpush.rollup_delivery_days select * from afterpush.summed_delivery_days;

-- What reports read.

-- Responses of an app that a report selects, by the time they took. With the parameters known, the planner drops the parts
-- that have nothing to say. Whole days come from the sums by day; their `hour`
-- is the day's start, and they have no app_version. Where `by` asks for more, and at the ends of the selection, hours serve.
create function afterpush.report_response_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, by text, tz text
)
returns table (
    hour timestamptz, campaign_id text, variant text, category_id text, platform text, app_version text,
    bucket smallint, deliveries integer
)
language sql stable
as $$
    select
        r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.platform, r.app_version, r.bucket,
        case when report_response_facts.verified then r.verified_deliveries else r.deliveries end
    from afterpush.rollup_responses as r
    cross join lateral (
        select
            case
                when by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC' then 'infinity'
                when "from" is null then '-infinity'
                else afterpush.day_of("from" + interval '1 day' - interval '1 microsecond')
            end::timestamptz,
            coalesce(afterpush.day_of("to"), 'infinity')
    ) as whole (first_day, last_day)
    where r.app_id = (select app_id from afterpush.apps where name = app)
      and whole.first_day > coalesce("from", '-infinity')
      and r.anchor_hour >= (select coalesce("from", '-infinity'))
      and r.anchor_hour < (select least(whole.first_day, "to"))
      and case when report_response_facts.verified then r.verified_deliveries else r.deliveries end > 0
      and (report_response_facts.campaign is null or r.campaign_id = report_response_facts.campaign)
      and (report_response_facts.category is null or r.category_id = report_response_facts.category)
      and (report_response_facts.variant is null or r.variant = report_response_facts.variant)
      and (report_response_facts.platform is null or r.platform = report_response_facts.platform)
    union all
    select
        r.anchor_day, r.campaign_id, r.variant, r.category_id, r.platform, '' collate "C", r.bucket,
        case when report_response_facts.verified then r.verified_deliveries else r.deliveries end
    from afterpush.rollup_response_days as r
    cross join lateral (
        select
            case
                when by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC' then 'infinity'
                when "from" is null then '-infinity'
                else afterpush.day_of("from" + interval '1 day' - interval '1 microsecond')
            end::timestamptz,
            coalesce(afterpush.day_of("to"), 'infinity')
    ) as whole (first_day, last_day)
    where r.app_id = (select app_id from afterpush.apps where name = app)
      and whole.first_day < whole.last_day
      and (whole.first_day = '-infinity' or r.anchor_day >= (select whole.first_day))
      and (whole.last_day = 'infinity' or r.anchor_day < (select whole.last_day))
      and case when report_response_facts.verified then r.verified_deliveries else r.deliveries end > 0
      and (report_response_facts.campaign is null or r.campaign_id = report_response_facts.campaign)
      and (report_response_facts.category is null or r.category_id = report_response_facts.category)
      and (report_response_facts.variant is null or r.variant = report_response_facts.variant)
      and (report_response_facts.platform is null or r.platform = report_response_facts.platform)
    union all
    select
        r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.platform, r.app_version, r.bucket,
        case when report_response_facts.verified then r.verified_deliveries else r.deliveries end
    from afterpush.rollup_responses as r
    cross join lateral (
        select
            case
                when by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC' then 'infinity'
                when "from" is null then '-infinity'
                else afterpush.day_of("from" + interval '1 day' - interval '1 microsecond')
            end::timestamptz,
            coalesce(afterpush.day_of("to"), 'infinity')
    ) as whole (first_day, last_day)
    where r.app_id = (select app_id from afterpush.apps where name = app)
      and whole.last_day < "to"
      and r.anchor_hour >= (select greatest(whole.first_day, whole.last_day))
      and r.anchor_hour < (select "to")
      and case when report_response_facts.verified then r.verified_deliveries else r.deliveries end > 0
      and (report_response_facts.campaign is null or r.campaign_id = report_response_facts.campaign)
      and (report_response_facts.category is null or r.category_id = report_response_facts.category)
      and (report_response_facts.variant is null or r.variant = report_response_facts.variant)
      and (report_response_facts.platform is null or r.platform = report_response_facts.platform)
$$;
comment on function afterpush.report_response_facts is 'Responses that a report selects, by the time they took.';
grant execute on function afterpush.report_response_facts to afterpush_report;

-- Rollup rows of an app, and its declared sends, that a report selects, each joined with the category version in
-- force and its campaign. Sums over groups of them are what reports print. `by` decides which rollup serves, and
-- leaves declared sends out where they are no base (by day or hour). Whole days come from the sums by day, except those that
-- hold the beginning, the end or `seam`; their `hour` is the day's start. With a seam the base is chosen by what is after
-- it: the rest is there to be compared.
drop function afterpush.report_facts;
create function afterpush.report_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, per text, by text, tz text default '', seam timestamptz default null
)
returns table (
    hour timestamptz, campaign_id text, variant text, category_id text, category_version integer, platform text,
    app_version text, base text, in_base boolean, sends bigint, base_count bigint, among_sends boolean,
    deliveries integer, failed bigint, delivered integer, confirmed integer, displayed integer, opened integer,
    acted integer, replied integer, dismissed integer, read integer, responded integer, converted integer,
    replaced integer, closed boolean, dismiss_observable boolean, offers_text boolean, offered text[]
)
language sql stable
as $$
    with this_app as (
        select
            app_id,
            as_of,
            as_of - interval '1 hour' - interval '72 hours' as closed_until,
            coalesce(report_facts."from", '-infinity') as starts,
            coalesce(report_facts."to", 'infinity') as ends
        from afterpush.apps
        cross join lateral afterpush.as_of(name)
        where name = app
    ),
    declared as (
        select s.app_id, s.campaign_id, date_trunc('hour', max(sent_at) at time zone 'UTC') at time zone 'UTC' as last_hour
        from afterpush.sends as s
        join this_app using (app_id)
        group by s.app_id, s.campaign_id
    ),
    -- Days that are not alike throughout: where the selection begins or ends, a response window ended, or a category got
    -- another version. Hours serve there, and where `by` asks for them.
    split as materialized (
        select coalesce(array_agg(distinct afterpush.day_of(at)), '{}') as days
        from (
            select unnest(array[starts, ends, report_facts.seam]) as at
            from this_app
            union all
            select closed_until
            from this_app
            union all
            select as_of - interval '1 hour' - c.response_window
            from this_app
            join afterpush.campaigns as c using (app_id)
            union all
            select c.effective_from
            from afterpush.categories as c
            join this_app using (app_id)
            where c.version > 1
        ) as seams
        where isfinite(at)
    ),
    picked as (
        select
            r.app_id, r.anchor_day as anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            '' collate "C" as app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries, r.failed::bigint, r.delivered,
            r.displayed, r.opened, r.replied, r.dismissed, r.read,
            r.responded, r.converted_events, r.replaced, 0::bigint as declared_sends, false as is_declaration
        from afterpush.rollup_delivery_days as r
        where r.app_id = (select app_id from this_app)
          and r.verified = report_facts.verified
          and r.anchor_day <> all ((select days from split)::timestamptz[])
          and not (by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC')
        union all
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            '', r.is_sent, r.is_confirmed, r.actions, r.deliveries::integer, r.failed::bigint, r.delivered::integer,
            r.displayed::integer, r.opened::integer, r.replied::integer, r.dismissed::integer, r.read::integer,
            r.responded::integer, r.converted_events::integer, r.replaced::integer, 0, false
        from unnest((select days from split)) as s (day)
        -- offset 0 keeps the planner from reading all hours and picking days then.
        cross join lateral (
            select *
            from afterpush.rollup_deliveries as h
            where h.app_id = (select app_id from this_app)
              and h.verified = report_facts.verified
              and h.anchor_hour >= s.day
              and h.anchor_hour < s.day + interval '24 hours'
            offset 0
        ) as r
        where not (by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC')
        union all
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            '', r.is_sent, r.is_confirmed, r.actions, r.deliveries::integer, r.failed::bigint, r.delivered::integer,
            r.displayed::integer, r.opened::integer, r.replied::integer, r.dismissed::integer, r.read::integer,
            r.responded::integer, r.converted_events::integer, r.replaced::integer, 0, false
        from afterpush.rollup_deliveries as r
        where r.app_id = (select app_id from this_app)
          and r.verified = report_facts.verified
          and (by like '%hour%' or by like '%app_version%' or by like '%day%' and tz <> 'UTC')
          and by not like '%app_version%'
        union all
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            r.app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries::integer, r.failed::bigint, r.delivered::integer,
            r.displayed::integer, r.opened::integer, r.replied::integer, r.dismissed::integer, r.read::integer,
            r.responded::integer, r.converted_events::integer, r.replaced::integer, 0, false
        from afterpush.rollup_app_versions as r
        where r.app_id = (select app_id from this_app)
          and r.verified = report_facts.verified
          and by like '%app_version%'
        union all
        select
            s.app_id, afterpush.hour_of(s.sent_at), s.campaign_id, coalesce(s.variant, ''), coalesce(s.category_id, ''), coalesce(s.category_version, 0),
            coalesce(s.platform, ''), '', false, false, '{}', 0, s.failed, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.count, true
        from afterpush.sends as s
        join this_app using (app_id)
    ),
    selected as not materialized (
        select
            p.*,
            d.campaign_id is not null as declared,
            d.last_hour,
            by_time,
            -- Declared sends are no base by day or hour, so their deliveries stand outside it there.
            case when d.campaign_id is null then p.is_sent else not by_time end as among_sends
        from picked as p
        cross join (select report_facts.by like '%day%' or report_facts.by like '%hour%') as asked (by_time)
        left join declared as d using (app_id, campaign_id)
        -- Put so that the planner expects many rows to pass; with few it would not hash what they are joined with.
        where (p.anchor_hour < (select starts from this_app)) is not true
          and (p.anchor_hour >= (select ends from this_app)) is not true
          and (report_facts.campaign is null or p.campaign_id = report_facts.campaign)
          and (report_facts.category is null or p.category_id = report_facts.category)
          and (report_facts.variant is null or p.variant = report_facts.variant)
          and (report_facts.platform is null or p.platform = report_facts.platform)
    ),
    chosen as materialized (
        select case
            when per <> 'auto' then per
            when exists (
                select
                from selected
                where (is_declaration or (is_sent and not declared))
                  and (report_facts.seam is null or anchor_hour >= report_facts.seam)
            ) then 'sent'
            when exists (
                select
                from selected
                where is_confirmed
                  and (report_facts.seam is null or anchor_hour >= report_facts.seam)
            ) then 'confirmed'
            else 'none'
        end as base
    )
    select
        s.anchor_hour,
        s.campaign_id,
        s.variant,
        s.category_id,
        coalesce(v.version, nullif(s.category_version, 0)),
        s.platform,
        s.app_version,
        chosen.base,
        case chosen.base when 'sent' then s.among_sends when 'confirmed' then s.is_confirmed else false end,
        case when s.declared then s.declared_sends else s.is_sent::integer * s.deliveries end,
        case
            when chosen.base = 'confirmed' then s.is_confirmed::integer * s.deliveries
            when chosen.base <> 'sent' then 0
            when s.declared then s.declared_sends
            else s.is_sent::integer * s.deliveries
        end,
        s.among_sends,
        s.deliveries,
        s.failed,
        s.delivered,
        s.is_confirmed::integer * s.deliveries,
        s.displayed,
        s.opened,
        case when s.actions = '{}' then 0 else s.deliveries end,
        s.replied,
        s.dismissed,
        s.read,
        s.responded,
        case
            when s.actions = '{}' then s.converted_events
            when case
                when coalesce(v.goals, '{}') = '{}' and coalesce(g.goal_actions, c.goal_actions, '{}') = '{}'
                then not s.actions <@ coalesce(v.destructive, '{}')
                else s.actions && (coalesce(v.goals, '{}') || coalesce(g.goal_actions, c.goal_actions, '{}'))
            end
            then s.deliveries
            else s.converted_events
        end,
        s.replaced,
        case when s.declared then s.last_hour else s.anchor_hour end <= coalesce(c.closed_until, this_app.closed_until),
        case
            when s.platform in ('android', 'web') then true
            when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
            else false
        end,
        coalesce(v.offers_text, false),
        coalesce(v.offered, '{}')
    from selected as s
    cross join this_app
    cross join chosen
    left join afterpush.category_versions as v
        on v.app_id = s.app_id
        and v.category_id = s.category_id
        and case
            when s.category_version > 0 then v.version = s.category_version
            else s.anchor_hour >= v.in_force_from and s.anchor_hour < v.in_force_to
        end
    left join (
        select app_id, campaign_id, goal_actions, as_of - interval '1 hour' - response_window as closed_until
        from afterpush.campaigns
        join this_app using (app_id)
    ) as c
        on c.app_id = s.app_id
        and c.campaign_id = s.campaign_id
    left join afterpush.sealed_goals as g
        on g.app_id = s.app_id
        and g.campaign_id = s.campaign_id
        and s.anchor_hour >= g.sealed_from
        and s.anchor_hour < g.sealed_before
    where not (s.is_declaration and s.by_time)
$$;
comment on function afterpush.report_facts is 'Rollup rows and declared sends that a report selects, joined with what was declared.';
grant execute on function afterpush.report_facts to afterpush_report;

-- coalesce, written so that row-level security lets an index serve it: it takes coalesce for something that could leak.
create function afterpush.anchor_at(sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz)
returns timestamptz
language sql immutable parallel safe
return case
    when sent_at is not null then sent_at
    when receipt_issued_at is not null then receipt_issued_at
    else first_event_at
end;
comment on function afterpush.anchor_at is 'The time that a delivery is anchored at.';
grant execute on function afterpush.anchor_at to afterpush_worker, afterpush_report;

-- As before, but that a campaign is looked for on its days only.
create or replace function afterpush.report_action_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (
    campaign_id text, variant text, category_id text, category_version integer, action_id text, offered boolean,
    declared boolean, is_sent boolean, is_confirmed boolean, bucket smallint, deliveries bigint, events bigint
)
language sql stable
as $$
    select
        r.campaign_id,
        r.variant,
        r.category_id,
        coalesce(v.version, nullif(r.category_version, 0)),
        r.action_id,
        coalesce(r.action_id = any (v.offered), false),
        exists (select from afterpush.sends as s where s.app_id = r.app_id and s.campaign_id = r.campaign_id),
        r.is_sent,
        r.is_confirmed,
        r.bucket,
        r.deliveries,
        r.events
    from afterpush.rollup_actions as r
    join afterpush.apps as a using (app_id)
    left join afterpush.category_versions as v
        on v.app_id = r.app_id
        and v.category_id = r.category_id
        and case
            when r.category_version > 0 then v.version = r.category_version
            else r.anchor_hour >= v.in_force_from and r.anchor_hour < v.in_force_to
        end
    where a.name = report_action_facts.app
      and r.verified = report_action_facts.verified
      -- As in report_facts, so that the planner expects many rows.
      and (r.anchor_hour < (select coalesce(report_action_facts."from", '-infinity'))) is not true
      and (r.anchor_hour >= (select coalesce(report_action_facts."to", 'infinity'))) is not true
      and (report_action_facts.campaign is null or r.campaign_id = report_action_facts.campaign)
      and (
          report_action_facts.campaign is null
          or r.anchor_hour >= (
              select min(d.anchor_day)
              from afterpush.rollup_delivery_days as d
              where d.app_id = (select app_id from afterpush.apps where name = report_action_facts.app)
                and not d.verified
                and d.campaign_id = report_action_facts.campaign
          )
      )
      and (
          report_action_facts.campaign is null
          or r.anchor_hour < (
              select max(d.anchor_day) + interval '24 hours'
              from afterpush.rollup_delivery_days as d
              where d.app_id = (select app_id from afterpush.apps where name = report_action_facts.app)
                and not d.verified
                and d.campaign_id = report_action_facts.campaign
          )
      )
      and (report_action_facts.category is null or r.category_id = report_action_facts.category)
      and (report_action_facts.variant is null or r.variant = report_action_facts.variant)
      and (report_action_facts.platform is null or r.platform = report_action_facts.platform)
$$;

create or replace function afterpush.report_deliveries(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (
    app_id integer, delivery_id uuid, device_id text, anchor_at timestamptz, hour timestamptz, campaign_id text,
    variant text, category_id text, category_version integer, platform text, app_version text, kinds integer,
    confirmed_at timestamptz, reached_at timestamptz, responded_at timestamptz
)
language sql stable
as $$
    select
        d.app_id,
        d.delivery_id,
        d.device_id,
        afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(d.campaign_id, ''),
        coalesce(d.variant, ''),
        coalesce(d.category_id, ''),
        coalesce(d.category_version, 0),
        coalesce(d.platform, ''),
        coalesce(d.app_version, ''),
        case when report_deliveries.verified then d.verified_kinds else d.kinds end,
        case when report_deliveries.verified then d.verified_confirmed_at else d.confirmed_at end,
        case
            when report_deliveries.verified then coalesce(d.verified_confirmed_at, d.verified_sent_at)
            else coalesce(d.confirmed_at, d.sent_at)
        end,
        case when report_deliveries.verified then d.verified_responded_at else d.responded_at end
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = report_deliveries.app
      and (not report_deliveries.verified or d.verified_kinds <> 0)
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          >= (select coalesce(afterpush.hour_of(report_deliveries."from" + interval '3599.999999 s'), '-infinity'))
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          < (select coalesce(afterpush.hour_of(report_deliveries."to" + interval '3599.999999 s'), 'infinity'))
      and (report_deliveries.campaign is null or d.campaign_id = report_deliveries.campaign)
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at) >= (
              select min(r.anchor_day)
              from afterpush.rollup_delivery_days as r
              where r.app_id = (select app_id from afterpush.apps where name = report_deliveries.app)
                and not r.verified
                and r.campaign_id = report_deliveries.campaign
          )
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at) < (
              select max(r.anchor_day) + interval '24 hours'
              from afterpush.rollup_delivery_days as r
              where r.app_id = (select app_id from afterpush.apps where name = report_deliveries.app)
                and not r.verified
                and r.campaign_id = report_deliveries.campaign
          )
      )
      and (report_deliveries.category is null or d.category_id = report_deliveries.category)
      and (report_deliveries.variant is null or d.variant = report_deliveries.variant)
      and (report_deliveries.platform is null or d.platform = report_deliveries.platform)
$$;

-- By time, for few bytes: deliveries come in about in its order.
create index deliveries_anchor on afterpush.deliveries
    using brin (afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at)) with (pages_per_range = 32);

-- Nothing reads events for what rollup_events has.
drop function afterpush.report_events;

-- Erasure and sealing, which keep what is counted of events.

create or replace function afterpush.sweep_device(app integer, device text, max integer)
returns table (events bigint, replies bigint, deliveries bigint)
language plpgsql
as $$
declare
    taken uuid[];
    hour timestamptz;
begin
    select array_agg(delivery_id)
    into taken
    from (
        select d.delivery_id
        from afterpush.deliveries as d
        where d.app_id = app
          and d.device_id = device
        order by d.delivery_id
        limit max
    ) as slice;
    if taken is null then
        -- Of the device alone, and of whatever has no delivery.
        taken := array[afterpush.device_identity(app, device)];
    end if;

    perform afterpush.keep_event_counts(taken);
    with gone as (
        delete from afterpush.replies where delivery_id = any (taken) returning 1
    )
    select count(*) into replies from gone;
    with gone as (
        delete from afterpush.events as e where e.delivery_id = any (taken) returning 1
    )
    select count(*) into events from gone;
    with changed as (
        update afterpush.deliveries as d
        set delivery_id = gen_random_uuid(),
            device_id = null,
            notification_id = null
        where d.delivery_id = any (taken)
        returning 1
    )
    select count(*) into deliveries from changed;
    delete from afterpush.late_deliveries where delivery_id = any (taken);
    return next;
end
$$;

create or replace function afterpush.advance_seal() returns text
language plpgsql
as $$
declare
    announced afterpush.sealing;
    sealed timestamptz;
begin
    select * into announced from afterpush.sealing for update;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.announced_before <= sealed then
        return 'sealed';
    end if;
    if announced.after_batch is null then
        update afterpush.sealing set after_batch = afterpush.last_unaware_batch();
        return 'waiting';
    end if;
    perform from afterpush.rollup_worker for update;
    if exists (select from afterpush.batches where rolled_up_at is null and batch_id <= announced.after_batch) then
        return 'waiting';
    end if;
    -- Those that left the sealed hours again are counted, and from now on like any other.
    delete from afterpush.late_deliveries as l
    where not exists (
        select
        from afterpush.deliveries as d
        where d.delivery_id = l.delivery_id
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    );
    delete from afterpush.erased_events where event_hour < announced.announced_before;
    update afterpush.rollup_worker set sealed_before = announced.announced_before;
    return 'sealed';
end
$$;
